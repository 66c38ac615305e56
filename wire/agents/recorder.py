"""What do an agent and the gateway say to each other?

A relay that changes nothing and notes every MCP message: over HTTP between the two, or around `handpick stdio`:
`python recorder.py LOG COMMAND…` starts the command and stands between it and whoever started this.
"""

import json
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# Headers that belong to one connection, not to what is handed on.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length", "accept-encoding"}


class Record:
    """The messages of one run, in the order they came by."""

    def __init__(self) -> None:
        self.messages: list[dict] = []
        self._lock = threading.Lock()

    def note(self, direction: str, text: bytes | str, **more: object) -> None:
        try:
            parsed = json.loads(text)
        except ValueError:
            return
        with self._lock:
            for message in parsed if isinstance(parsed, list) else [parsed]:
                if isinstance(message, dict):
                    self.messages.append({"at": round(time.time(), 4), "from": direction, "message": message} | more)

    def read_log(self, path: str) -> None:
        """Takes over what a relay around a pipe wrote down."""
        try:
            with open(path, encoding="utf-8") as log:
                self.messages.extend(json.loads(line) for line in log)
        except FileNotFoundError:
            pass

    def requests(self, method: str) -> list[dict]:
        sent = (entry for entry in self.messages if entry["from"] == "agent")
        return [entry for entry in sent if entry["message"].get("method") == method]

    def summary(self) -> dict:
        """What a client is, going by what it said."""
        opening = (self.requests("initialize") + self.requests("server/discover") or [{"message": {}}])[0]
        params = opening["message"].get("params") or {}
        meta = params.get("_meta") or {}
        prefixed = {key.rsplit("/", 1)[-1]: value for key, value in meta.items()}
        changes = [
            index
            for index, entry in enumerate(self.messages)
            if entry["from"] == "gateway" and entry["message"].get("method") == "notifications/tools/list_changed"
        ]
        lists = [index for index, entry in enumerate(self.messages) if is_list(entry)]
        cursors = [
            entry["message"]["result"]["nextCursor"]
            for entry in self.messages
            if entry["from"] == "gateway" and (entry["message"].get("result") or {}).get("nextCursor")
        ]
        asked = {(self.messages[index]["message"].get("params") or {}).get("cursor") for index in lists}
        return {
            "client": params.get("clientInfo") or prefixed.get("clientInfo"),
            "protocol": params.get("protocolVersion") or prefixed.get("protocolVersion"),
            "capabilities": params.get("capabilities") or prefixed.get("clientCapabilities"),
            "lists": len(lists),
            "listed": sorted(self.listed()),
            # Whether the gateway offered a further page of tools that the agent never asked for.
            "unread_pages": any(cursor not in asked for cursor in cursors),
            "list_changed": len(changes),
            "relisted": any(index > changes[0] for index in lists) if changes else None,
            "listens": any(entry.get("listens") for entry in self.messages),
            "person": self.person(),
            "methods": [
                entry["message"]["method"]
                for entry in self.messages
                if entry["from"] == "agent" and "method" in entry["message"]
            ],
        }

    def listed(self) -> set[str]:
        """The names of tools that the gateway listed."""
        results = [entry["message"].get("result") for entry in self.messages if entry["from"] == "gateway"]
        lists = [result["tools"] for result in results if isinstance(result, dict) and "tools" in result]
        return {tool["name"] for tools in lists for tool in tools}

    def person(self) -> str | None:
        """What came of asking the person at the agent, in the protocol's word; None where nobody was asked."""
        for entry in self.messages:
            message = entry["message"]
            if entry["from"] == "gateway" and message.get("method") == "elicitation/create":
                return self.reply(message["id"])
            # Since 2026-07-28 the question is part of an answer, and the reply part of the next request.
            replies = (message.get("params") or {}).get("inputResponses") or {}
            for reply in replies.values():
                return reply.get("action", "error")
        return None

    def reply(self, number: object) -> str:
        for entry in self.messages:
            message = entry["message"]
            if entry["from"] == "agent" and message.get("id") == number and "method" not in message:
                return (message.get("result") or {}).get("action", "error")
        return "no answer"


def is_list(entry: dict) -> bool:
    return entry["from"] == "agent" and entry["message"].get("method") == "tools/list"


class Relay(ThreadingHTTPServer):
    """Stands before the gateway at `target`, for one run."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target = urlsplit(target).netloc
        self.record = Record()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_arguments: object) -> None:
        """Agents hang up in the middle of a stream when they are done; that is no error."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Relay

    def log_message(self, *_arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self.relay()

    do_POST = do_DELETE = do_OPTIONS = do_PUT = do_GET

    def relay(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if body:
            self.server.record.note("agent", body)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        upstream = HTTPConnection(self.server.target)
        upstream.request(self.command, self.path, body or None, headers)
        answer = upstream.getresponse()
        if self.command != "POST":
            self.server.record.messages.append(
                {
                    "from": "agent",
                    "message": {"http": f"{self.command} {self.path}", "status": answer.status},
                    "listens": self.command == "GET" and answer.status == 200,
                }
            )
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if "text/event-stream" in (answer.getheader("Content-Type") or ""):
            self.send_header("Connection", "close")
            self.end_headers()
            self.stream(answer)
        else:
            payload = answer.read()
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.server.record.note("gateway", payload)
            self.wfile.write(payload)
        upstream.close()

    def stream(self, answer) -> None:
        self.close_connection = True
        while line := answer.readline():
            if line.startswith(b"data:"):
                self.server.record.note("gateway", line[5:])
            self.wfile.write(line)
            self.wfile.flush()


def around_pipe(log_path: str, command: list[str]) -> int:
    """Relays standard input and output of a command, line by line, and writes down each message."""
    lock = threading.Lock()
    with open(log_path, "w", encoding="utf-8") as log:

        def note(direction: str, line: bytes) -> None:
            record = Record()
            record.note(direction, line)
            with lock:
                for message in record.messages:
                    log.write(json.dumps(message, ensure_ascii=False) + "\n")
                log.flush()

        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def down() -> None:
            for line in sys.stdin.buffer:
                note("agent", line)
                child.stdin.write(line)
                child.stdin.flush()
            child.stdin.close()

        threading.Thread(target=down, daemon=True).start()
        for line in child.stdout:
            note("gateway", line)
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        return child.wait()


if __name__ == "__main__":
    sys.exit(around_pipe(sys.argv[1], sys.argv[2:]))
