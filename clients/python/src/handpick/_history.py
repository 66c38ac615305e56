"""How do a provider's messages become the history of a turn?

System messages and pictures say nothing about tools and are left out. Results of calls join the call they answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._types import Message, ToolCall


def history_from_openai(messages: Iterable[Mapping[str, Any]]) -> list[Message]:
    """History from messages of OpenAI's chat completions."""
    history: list[Message] = []
    calls: dict[str, ToolCall] = {}
    for message in messages:
        role = message.get("role")
        if role == "user":
            history.append({"role": "user", "content": _text(message.get("content"))})
        elif role == "assistant":
            made: list[ToolCall] = []
            for call in message.get("tool_calls") or ():
                function = call.get("function") or {}
                entry = _call(function.get("name"), function.get("arguments"))
                if entry is not None:
                    made.append(entry)
                    calls[str(call.get("id"))] = entry
            history.append(_assistant(message.get("content"), made))
        elif role == "tool":
            answered = _answered(calls, message.get("tool_call_id"))
            if answered is not None:
                answered["result"] = _text(message.get("content"))
    return history


def history_from_anthropic(messages: Iterable[Mapping[str, Any]]) -> list[Message]:
    """History from messages of Anthropic's messages API."""
    history: list[Message] = []
    calls: dict[str, ToolCall] = {}
    for message in messages:
        blocks = _blocks(message.get("content"))
        if message.get("role") == "assistant":
            made: list[ToolCall] = []
            for block in blocks:
                if block.get("type") == "tool_use":
                    entry = _call(block.get("name"), block.get("input"))
                    if entry is not None:
                        made.append(entry)
                        calls[str(block.get("id"))] = entry
            history.append(_assistant(blocks, made))
            continue
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            answered = _answered(calls, block.get("tool_use_id"))
            if answered is not None:
                answered["result"] = _text(block.get("content"))
        text = _text(blocks)
        if text or not results:
            history.append({"role": "user", "content": text})
    return history


def _assistant(content: Any, made: Sequence[ToolCall]) -> Message:
    message: Message = {"role": "assistant", "content": _text(content)}
    if made:
        message["toolCalls"] = made
    return message


def _call(name: Any, arguments: Any) -> ToolCall | None:
    if not isinstance(name, str):
        return None
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = None
    return {"name": name, "arguments": arguments if isinstance(arguments, Mapping) else {}}


def _answered(calls: Mapping[str, ToolCall], id: Any) -> ToolCall | None:
    return calls.get(id) if isinstance(id, str) else None


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or () if isinstance(block, Mapping)]


def _text(content: Any) -> str:
    texts = (block.get("text") for block in _blocks(content))
    return "\n".join(text for text in texts if isinstance(text, str))
