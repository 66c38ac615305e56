"""What does a server answer, byte for byte, before any SDK has read it?

JSON-RPC by hand over pipes and over streamable HTTP, in both eras, with nothing but the standard library. Objects are
kept as lists of pairs and numbers as they are spelled, so that a changed order or a re-spelled number is seen.
"""

import http.client
import itertools
import json
import os
import subprocess
import threading
from urllib.parse import urlsplit

LEGACY, MODERN = "2025-11-25", "2026-07-28"
IDENTITY = {"name": "wire-raw", "version": "1.0.0"}
EVERY_CAPABILITY = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}


class Pairs(list):
    """A JSON object: its members in order."""

    def __getitem__(self, key):
        return dict(self)[key] if isinstance(key, str) else super().__getitem__(key)

    def get(self, key: str, default=None):
        return dict(self).get(key, default)

    def without(self, *keys: str) -> "Pairs":
        return Pairs((k, v) for k, v in self if k not in keys)


def exact(text: str):
    spelled = {"parse_float": lambda s: ("number", s), "parse_int": lambda s: ("number", s)}
    return json.loads(text, object_pairs_hook=Pairs, **spelled)


class RawError(Exception):
    """The peer answered with a JSON-RPC error."""


def result_of(message: Pairs):
    if message.get("error") is not None:
        raise RawError(json.dumps(message["error"]))
    return message["result"]


class Session:
    """What both transports share: a handshake where the era has one, a list of all pages, a call."""

    era = LEGACY
    capabilities: dict = {}

    def exchange(self, method: str, params: dict):
        raise NotImplementedError

    def notify(self, method: str) -> None:
        raise NotImplementedError

    def request(self, method: str, params: dict):
        if self.era == MODERN:
            meta = {"protocolVersion": MODERN, "clientInfo": IDENTITY, "clientCapabilities": self.capabilities}
            params = params | {"_meta": {f"io.modelcontextprotocol/{key}": value for key, value in meta.items()}}
        return self.exchange(method, params)

    def initialize(self) -> None:
        hello = {"protocolVersion": LEGACY, "capabilities": self.capabilities, "clientInfo": IDENTITY}
        self.request("initialize", hello)
        self.notify("notifications/initialized")

    def negotiate(self) -> None:
        """Speaks the newest era the server knows, as the gateway does."""
        self.era = MODERN
        try:
            self.request("server/discover", {})
        except RawError:
            self.era = LEGACY
            self.initialize()

    def tools(self) -> list[Pairs]:
        tools, cursor = [], None
        while True:
            page = self.request("tools/list", {"cursor": cursor} if cursor else {})
            tools.extend(page["tools"])
            cursor = page.get("nextCursor")
            if cursor is None:
                return tools

    def call(self, name: str, arguments: dict):
        return self.request("tools/call", {"name": name, "arguments": arguments})


class Pipes(Session):
    def __init__(self, command: str, args: list[str], env: dict) -> None:
        self.ids = itertools.count(1)
        self.process = subprocess.Popen(
            [command, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=os.environ | env, encoding="utf-8",
        )

    def send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def exchange(self, method: str, params: dict):
        wanted = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": wanted, "method": method, "params": params})
        # A server that falls silent must fail this test, not stop it.
        timer = threading.Timer(120, self.process.kill)
        timer.start()
        try:
            for line in self.process.stdout:
                message = parse(line)
                if message is None:
                    continue
                if message.get("method") is not None and message.get("id") is not None:
                    self.answer(json.loads(line))
                elif message.get("id") == ("number", str(wanted)):
                    return result_of(message)
        finally:
            timer.cancel()
        raise RawError("the server closed its output")

    def answer(self, request: dict) -> None:
        answers = {"ping": {}, "roots/list": {"roots": []}}
        body = {"result": answers[request["method"]]} if request["method"] in answers else {
            "error": {"code": -32601, "message": "not offered"}
        }
        self.send({"jsonrpc": "2.0", "id": request["id"], **body})

    def notify(self, method: str) -> None:
        self.send({"jsonrpc": "2.0", "method": method})

    def close(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def parse(line: str) -> Pairs | None:
    try:
        message = exact(line)
    except ValueError:
        return None
    return message if isinstance(message, Pairs) else None


class Http(Session):
    def __init__(self, url: str, headers: dict, era: str) -> None:
        parts = urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
        self.path, self.era, self.ids = parts.path, era, itertools.count(1)
        self.headers = headers | {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if era == MODERN:
            self.headers["MCP-Protocol-Version"] = MODERN

    def post(self, message: dict) -> str:
        headers = dict(self.headers)
        if self.era == MODERN:
            headers["Mcp-Method"] = message["method"]
            if "name" in message["params"]:
                headers["Mcp-Name"] = message["params"]["name"]
        self.connection.request("POST", self.path, json.dumps(message), headers)
        response = self.connection.getresponse()
        session = response.headers.get("Mcp-Session-Id")
        if session:
            self.headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": LEGACY}
        body = response.read().decode("utf-8")
        # Servers drop idle connections after seconds; the next request opens its own.
        self.connection.close()
        if response.status >= 400 and not body.lstrip().startswith("{"):
            raise RawError(f"HTTP {response.status}: {body[:200]}")
        if response.headers.get_content_type() == "text/event-stream":
            data = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
            return next(d for d in reversed(data) if '"result"' in d or '"error"' in d)
        return body

    def exchange(self, method: str, params: dict):
        text = self.post({"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params})
        return result_of(exact(text))

    def notify(self, method: str) -> None:
        self.post({"jsonrpc": "2.0", "method": method})

    def close(self) -> None:
        self.connection.close()
