"""How does a gateway misbehave? One port for each case of client_cases.json, and one that answers well.

Prints one line of JSON with the addresses, then serves until its standard input ends. What the well-behaved port was
sent is what it gives back to `GET /seen`.
"""

import json
import socket
import sys
import threading
import time
from pathlib import Path

TABLE = json.loads((Path(__file__).parent / "client_cases.json").read_text(encoding="utf-8"))
SEEN: list[dict] = []


def address(listener: socket.socket) -> str:
    return "http://127.0.0.1:%d" % listener.getsockname()[1]


def read_request(connection: socket.socket) -> tuple[str, bytes]:
    got = b""
    while b"\r\n\r\n" not in got:
        more = connection.recv(65536)
        if not more:
            return "", b""
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    wanted = int(lengths[0]) if lengths else 0
    while len(body) < wanted:
        more = connection.recv(65536)
        if not more:
            break
        body += more
    return head.decode("latin-1"), body


def answer_of(case: dict) -> tuple[bytes, bytes]:
    body = (case["body"] + "[" * case.get("deep", 0)).encode() + bytes.fromhex(case.get("tail_hex", ""))
    if "head" in case:
        return case["head"].encode("latin-1"), body
    headers = {"Content-Type": "application/json", "Content-Length": str(case.get("length", len(body))), "Connection": "close"}
    lines = [f"HTTP/1.1 {case['status']} Whatever", *(f"{k}: {v}" for k, v in (headers | case.get("headers", {})).items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), body


def drip(connection: socket.socket, data: bytes, pause_ms: int) -> None:
    for byte in data:
        connection.sendall(bytes([byte]))
        time.sleep(pause_ms / 1000)


def treat(connection: socket.socket, case: dict) -> None:
    with connection:
        try:
            head, _ = read_request(connection)
            if case["do"] == "hang":
                connection.recv(1)
                return
            head_bytes, body = answer_of(case)
            if case.get("pause_ms") and case.get("drip") != "body":
                drip(connection, head_bytes + body, case["pause_ms"])
            elif case.get("pause_ms"):
                connection.sendall(head_bytes)
                drip(connection, body, case["pause_ms"])
            else:
                connection.sendall(head_bytes + body)
            if case["do"] == "stall":
                connection.recv(1)
        except OSError:
            pass  # the client has left, as it should


def treat_well(connection: socket.socket) -> None:
    with connection:
        head, body = read_request(connection)
        if not head:
            return
        if head.startswith("GET /seen "):
            text = json.dumps(SEEN)
        else:
            SEEN.append({"head": head, "body": body.decode("utf-8")})
            counts = {"edges": 0, "traces": 0, "edgesBySource": {"DECLARED": 0, "STATIC": 0, "TRACE": 0}}
            plain = {"agentId": "shop", "tools": 1} | counts
            text = json.dumps(TABLE["good"]["answer"] if "/v1/context" in head or "/v1/find" in head else plain)
        data = text.encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(data) + data)


def serve(treatment, *arguments) -> str:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=treatment, args=(connection, *arguments), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return address(listener)


KEPT: list[socket.socket] = []


def start(case: dict) -> str:
    if case["do"] == "refuse":
        # Bound but not listening: nobody else can take the port meanwhile.
        held = socket.socket()
        held.bind(("127.0.0.1", 0))
        KEPT.append(held)
        return address(held)
    if case["do"] == "ignore":
        # A full queue of connections that nobody accepts: the next ones get no answer at all.
        full = socket.socket()
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        KEPT.append(full)
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
            KEPT.append(filler)
        return address(full)
    return serve(treat, case)


def main() -> None:
    addresses = {case["name"]: start(case) for case in TABLE["cases"]}
    print(json.dumps({"cases": addresses, "good": serve(treat_well)}), flush=True)
    sys.stdin.read()


main()
