"""How does the scripted model speak OpenAI chat completions, OpenAI Responses, Gemini and Anthropic Messages?

One HTTP server on loopback, streaming and not. What it answers is decided in `script.py`; here requests are read into
a `Talk`, and a `Call` or `Say` is written as each protocol has it. Every request is noted, with the tools it offered.

Run by itself it plays one conversation on the port it is given: `python model.py 8123`.
"""

import gzip
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from script import Actor, Call, Say, Talk, Tool

MODEL = "scripted"
# What the providers accept as a tool's name. They refuse the whole request for one name that is not like this; here it
# is noted, so that the rest of the run can be seen.
OPENAI_NAME = ANTHROPIC_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
GEMINI_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")


def size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def text_of(content: object) -> str:
    """The text of a message or a result, whether it is a string, parts, or an object of the agent's own."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        return content["text"]
    return json.dumps(content, ensure_ascii=False)


def tool(name: str, schema: object, whole: object, namespace: str = "") -> Tool:
    needed = schema.get("required", []) if isinstance(schema, dict) else []
    return Tool(name, needed, namespace, size(whole))


def called(move: Call) -> tuple[str, str, dict]:
    """Namespace, name and arguments as they are sent: a tool that is not listed goes through the agent's own."""
    if move.tool.bridge:
        return move.tool.bridge.namespace, move.tool.bridge.name, {"name": move.tool.full, "arguments": move.arguments}
    return move.tool.namespace, move.tool.name, move.arguments


# ------------------------------------------------------------------------------------------- OpenAI chat completions


class Chat:
    name = "chat completions"
    tool_name = OPENAI_NAME

    @staticmethod
    def read(body: dict) -> Talk:
        talk = Talk(tools_size=size(body.get("tools", [])))
        for entry in body.get("tools", []):
            function = entry.get("function", {})
            talk.tools.append(tool(function.get("name", ""), function.get("parameters"), entry))
        for message in body.get("messages", []):
            if message.get("role") == "user":
                talk.user += text_of(message.get("content")) + "\n"
            elif message.get("role") in ("system", "developer"):
                talk.system += text_of(message.get("content")) + "\n"
            elif message.get("role") == "tool":
                talk.results.append(text_of(message.get("content")))
        return talk

    @staticmethod
    def message(move: Call | Say, number: int) -> tuple[dict, str]:
        if isinstance(move, Say):
            return {"role": "assistant", "content": move.text}, "stop"
        _, name, arguments = called(move)
        function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"

    @classmethod
    def whole(cls, move: Call | Say, number: int) -> dict:
        message, reason = cls.message(move, number)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return cls.envelope("chat.completion", [choice], number) | {"usage": cls.usage()}

    @classmethod
    def stream(cls, move: Call | Say, number: int):
        message, reason = cls.message(move, number)
        for delta, finish in ((message, None), ({}, reason)):
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            yield None, cls.envelope("chat.completion.chunk", [choice], number)
        yield None, cls.envelope("chat.completion.chunk", [], number) | {"usage": cls.usage()}
        yield None, "[DONE]"

    @staticmethod
    def envelope(kind: str, choices: list, number: int) -> dict:
        return {"id": f"chat_{number}", "object": kind, "created": 1, "model": MODEL, "choices": choices}

    @staticmethod
    def usage() -> dict:
        return {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


# -------------------------------------------------------------------------------------------------- OpenAI Responses


class Responses:
    name = "responses"
    tool_name = OPENAI_NAME

    @staticmethod
    def read(body: dict) -> Talk:
        talk = Talk(tools_size=size(body.get("tools", [])), system=text_of(body.get("instructions")))
        Responses.read_tools(talk, body.get("tools", []), "")
        entries = body.get("input", [])
        for entry in [{"role": "user", "content": entries}] if isinstance(entries, str) else entries:
            if entry.get("role") == "user":
                talk.user += text_of(entry.get("content")) + "\n"
            elif entry.get("role") in ("system", "developer"):
                talk.system += text_of(entry.get("content")) + "\n"
            elif entry.get("type") in ("function_call_output", "custom_tool_call_output"):
                talk.results.append(text_of(entry.get("output")))
            elif entry.get("type") == "tool_search_output":
                # Definitions that the agent held back, now usable.
                Responses.read_tools(talk, entry.get("tools", []), "")
                talk.results.append(json.dumps(entry.get("tools", []), ensure_ascii=False))
        return talk

    @staticmethod
    def read_tools(talk: Talk, tools: list, namespace: str) -> None:
        for entry in tools:
            if entry.get("type") == "namespace":
                Responses.read_tools(talk, entry.get("tools", []), entry.get("name", ""))
            else:
                name = entry.get("name") or entry.get("type", "")
                talk.tools.append(tool(name, entry.get("parameters"), entry, namespace))

    @staticmethod
    def item(move: Call | Say, number: int) -> dict:
        if isinstance(move, Say):
            part = {"type": "output_text", "text": move.text, "annotations": []}
            return {
                "type": "message",
                "id": f"msg_{number}",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
        namespace, name, arguments = called(move)
        call_id = f"call_{number}"
        if name == "tool_search" and not namespace:
            return {
                "type": "tool_search_call",
                "id": f"ts_{number}",
                "call_id": call_id,
                "execution": "client",
                "status": "completed",
                "arguments": arguments,
            }
        item = {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": call_id,
            "status": "completed",
            "name": name,
            "arguments": json.dumps(arguments, ensure_ascii=False),
        }
        return item | ({"namespace": namespace} if namespace else {})

    @classmethod
    def whole(cls, move: Call | Say, number: int) -> dict:
        return {
            "id": f"resp_{number}",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": MODEL,
            "output": [cls.item(move, number)],
            "usage": {
                "input_tokens": 1,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 1,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 2,
            },
        }

    @classmethod
    def stream(cls, move: Call | Say, number: int):
        whole = cls.whole(move, number)
        events: list[dict] = [{"type": "response.created", "response": whole | {"status": "in_progress", "output": []}}]
        for kind in ("added", "done"):
            events.append({"type": f"response.output_item.{kind}", "output_index": 0, "item": whole["output"][0]})
        events.append({"type": "response.completed", "response": whole})
        for sequence, event in enumerate(events):
            yield event["type"], event | {"sequence_number": sequence}


# ------------------------------------------------------------------------------------------------------------ Gemini


class Gemini:
    name = "gemini"
    tool_name = GEMINI_NAME

    @staticmethod
    def read(body: dict) -> Talk:
        system = text_of((body.get("systemInstruction") or {}).get("parts"))
        talk = Talk(tools_size=size(body.get("tools", [])), system=system)
        for group in body.get("tools", []):
            for entry in group.get("functionDeclarations", []):
                schema = entry.get("parametersJsonSchema") or entry.get("parameters")
                talk.tools.append(tool(entry.get("name", ""), schema, entry))
        for content in body.get("contents", []):
            for part in content.get("parts", []):
                if "functionResponse" in part:
                    talk.results.append(json.dumps(part["functionResponse"].get("response"), ensure_ascii=False))
                elif content.get("role") == "user" and "text" in part:
                    talk.user += part["text"] + "\n"
        return talk

    @staticmethod
    def whole(move: Call | Say, number: int) -> dict:
        if isinstance(move, Say):
            part: dict = {"text": move.text}
        else:
            _, name, arguments = called(move)
            part = {"functionCall": {"id": f"call_{number}", "name": name, "args": arguments}}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}

    @classmethod
    def stream(cls, move: Call | Say, number: int):
        yield None, cls.whole(move, number)


# ------------------------------------------------------------------------------------------------ Anthropic Messages


class Messages:
    name = "messages"
    tool_name = ANTHROPIC_NAME

    @staticmethod
    def read(body: dict) -> Talk:
        talk = Talk(tools_size=size(body.get("tools", [])), system=text_of(body.get("system")))
        for entry in body.get("tools", []):
            talk.tools.append(tool(entry.get("name", ""), entry.get("input_schema"), entry))
        for message in body.get("messages", []):
            content = message.get("content")
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                if part.get("type") == "tool_result":
                    talk.results.append(text_of(part.get("content")))
                elif message.get("role") == "user" and part.get("type") == "text":
                    talk.user += part["text"] + "\n"
        return talk

    @staticmethod
    def block(move: Call | Say, number: int) -> dict:
        if isinstance(move, Say):
            return {"type": "text", "text": move.text}
        _, name, arguments = called(move)
        return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}

    @classmethod
    def whole(cls, move: Call | Say, number: int) -> dict:
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [cls.block(move, number)],
            "stop_reason": "end_turn" if isinstance(move, Say) else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    @classmethod
    def stream(cls, move: Call | Say, number: int):
        whole = cls.whole(move, number)
        block = whole["content"][0]
        if isinstance(move, Say):
            empty, delta = block | {"text": ""}, {"type": "text_delta", "text": move.text}
        else:
            arguments = json.dumps(block["input"], ensure_ascii=False)
            empty, delta = block | {"input": {}}, {"type": "input_json_delta", "partial_json": arguments}
        stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        for event in (
            {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ):
            yield event["type"], event


# ------------------------------------------------------------------------------------------------------------ serving


def protocol(path: str, body: dict) -> tuple[type, bool] | None:
    """Which protocol a request speaks, and whether it wants its answer as a stream."""
    for ending, kind in (("/chat/completions", Chat), ("/responses", Responses), ("/messages", Messages)):
        if path.endswith(ending):
            return kind, bool(body.get("stream"))
    for ending, streams in ((":generateContent", False), (":streamGenerateContent", True)):
        if path.endswith(ending):
            return Gemini, streams
    return None


class Model(ThreadingHTTPServer):
    """The scripted model for one conversation; `requests` tells what it was asked."""

    daemon_threads = True

    def __init__(self, port: int = 0, raw_log: str | None = None, marker: str | None = None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.actor = Actor()
        self.requests: list[dict] = []
        self.turn = threading.Lock()
        # Where every request is written down whole.
        self._raw_log = raw_log
        # A text whose presence in a request is noted.
        self._marker = marker

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, kind: type, streams: bool, path: str, body: dict) -> tuple[Call | Say, int]:
        with self.turn:
            talk = kind.read(body)
            move = self.actor.move(talk)
            number = len(self.requests)
            answer = {"say": move.text} if isinstance(move, Say) else vars(move) | {"tool": move.tool.full}
            self.note(
                {
                    "path": path,
                    "protocol": kind.name,
                    "streams": streams,
                    "tools": [one.full for one in talk.tools],
                    "unfit": [one.name for one in talk.tools if not kind.tool_name.fullmatch(one.name)],
                    "tools_bytes": talk.tools_size,
                    "sizes": {one.full: one.size for one in talk.tools},
                    "instructions": bool(self._marker) and self._marker in json.dumps(body, ensure_ascii=False),
                    "result": talk.results[-1] if talk.results else None,
                    "answer": answer,
                },
                body,
            )
            return move, number

    def note(self, request: dict, body: object) -> None:
        self.requests.append({"at": round(time.time(), 4)} | request)
        if self._raw_log:
            with open(self._raw_log, "a", encoding="utf-8") as log:
                log.write(json.dumps({"request": self.requests[-1], "body": body}, ensure_ascii=False) + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path.endswith("/models"):
            return self.send(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}], "models": []})
        self.refuse(path, None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        path = urlsplit(self.path).path
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return self.refuse(path, repr(raw[:200]))
        if path.endswith((":countTokens", "/count_tokens")):
            return self.send(200, {"totalTokens": 1, "input_tokens": 1})
        spoken = protocol(path, body)
        if spoken is None:
            return self.refuse(path, body)
        kind, streams = spoken
        move, number = self.server.answer(kind, streams, path, body)
        if not streams:
            return self.send(200, kind.whole(move, number))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event, data in kind.stream(move, number):
            text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
            named = f"event: {event}\n" if event else ""
            self.wfile.write(f"{named}data: {text}\n\n".encode())
        self.close_connection = True

    def refuse(self, path: str, body: object) -> None:
        with self.server.turn:
            self.server.note({"path": path, "protocol": None, "method": self.command}, body)
        self.send(404, {"error": {"message": f"the scripted model does not serve {path}", "code": 404}})

    def send(self, status: int, value: dict) -> None:
        payload = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


if __name__ == "__main__":
    with Model(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None) as model:
        print(f"listening on {model.url}", flush=True)
        model.serve_forever()
