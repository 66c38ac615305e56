"""What would a model do? This one follows scene.json: a server on this machine that speaks the APIs of two providers.

It calls a tool only where the request offers it. Where a tool it wants is missing, it asks `find_tools` first.
"""

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scene import SCRIPT


def next_step(users: int, done: list[str], offered: list[str]) -> dict[str, Any]:
    """What comes in the turn of the `users`-th message, after the calls `done`, with the tools `offered`."""
    steps: list[dict[str, Any]] = SCRIPT[users - 1]["model"]
    step = steps[min(sum(name != "find_tools" for name in done), len(steps) - 1)]
    if "say" in step or step["call"] in offered:
        return step
    if "find_tools" in offered and done[-1:] != ["find_tools"]:
        return {"call": "find_tools", "arguments": {"query": step["search"]}}
    return {"say": "I have no tool for that."}


def chat_completion(request: dict[str, Any]) -> dict[str, Any]:
    """One answer of `POST /v1/chat/completions`."""
    users = 0
    done: list[str] = []
    for message in request["messages"]:
        if message["role"] == "user":
            users, done = users + 1, []
        done += [call["function"]["name"] for call in message.get("tool_calls") or ()]
    step = next_step(users, done, [tool["function"]["name"] for tool in request.get("tools", ())])
    reply: dict[str, Any] = {"role": "assistant", "content": step.get("say")}
    if "call" in step:
        function = {"name": step["call"], "arguments": json.dumps(step["arguments"])}
        reply["tool_calls"] = [{"id": f"call_{users}_{len(done)}", "type": "function", "function": function}]
    return {"choices": [{"message": reply, "finish_reason": "tool_calls" if "call" in step else "stop"}]}


def anthropic_message(request: dict[str, Any]) -> dict[str, Any]:
    """One answer of `POST /v1/messages`."""
    users = 0
    done: list[str] = []
    for message in request["messages"]:
        if message["role"] == "user" and isinstance(message["content"], str):
            users, done = users + 1, []
        elif message["role"] == "assistant":
            done += [block["name"] for block in message["content"] if block["type"] == "tool_use"]
    step = next_step(users, done, [tool["name"] for tool in request.get("tools", ())])
    if "say" in step:
        return {"role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": step["say"]}]}
    use = {"type": "tool_use", "id": f"toolu_{users}_{len(done)}", "name": step["call"], "input": step["arguments"]}
    return {"role": "assistant", "stop_reason": "tool_use", "content": [use]}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = chat_completion if self.path == "/v1/chat/completions" else anthropic_message
        body = json.dumps(answer(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the transcript is enough."""


def start() -> str:
    """Starts the model and returns its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def ask(address: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """One request to the model. With a provider's own package this is one line of yours."""
    data, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers), timeout=60) as response:
        answer: dict[str, Any] = json.load(response)
        return answer
