"""Which request does each method make, how is its answer read, and what stands in for it?"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from ._answers import (
    Answer,
    Counts,
    Edge,
    FellOpen,
    Found,
    read_answer,
    read_counts,
    read_edges,
    read_found,
    read_nothing,
    read_object,
)
from ._definitions import name_of
from ._errors import ApiError, UnansweredError
from ._exchange import Reply, Request
from ._types import Conversation, DefinitionFormat, Message, Page, Tool

T = TypeVar("T")
LOG = logging.getLogger("handpick")

TURN_BYTES_MAX = 256 * 1024
"""Longest body of a turn that the gateway takes."""
RESULT_LENGTH = 8 * 1024
"""What is left of each result of a call where the body would be longer: no more of a text is matched."""
SENTENCE_LENGTH = 2000
"""Longest sentence of the gateway that is repeated."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request and the two ways it ends well."""

    request: Request
    read: Callable[[bytes], T]
    fall_open: Callable[[FellOpen], T] | None = None
    """What stands in where nothing came; `None` where that must be raised."""

    def conclude(self, reply: Reply | UnansweredError) -> T:
        """The answer, what stands in for it, or an exception."""
        fell_open = None
        try:
            if isinstance(reply, UnansweredError):
                raise reply
            if 200 <= reply.status < 300:
                return self.read(reply.body)
            if self.fall_open is None or 400 <= reply.status < 500 and reply.status != 429:
                raise ApiError(reply.status, _sentence(reply), reply.retry_after)
            fell_open = _refused(reply)
        except UnansweredError as error:
            if self.fall_open is None:
                raise
            fell_open = FellOpen(error.reason, error.detail, error.status)
        LOG.warning("%s fell open, %s", self.request.path, fell_open)
        return self.fall_open(fell_open)


def context(
    agent_id: str,
    message: str,
    history: Sequence[Message],
    roles: Iterable[str] | None,
    user: Mapping[str, Any] | None,
    page: Page | None,
    max_tools: int | None,
    all_tools: Iterable[str | Mapping[str, Any]],
) -> Call[Answer]:
    """`POST /v1/context`; every tool given stands in."""
    names = tuple(name for name in map(_name, _several(all_tools, "all_tools")) if name is not None)
    fields: dict[str, Any] = {"agentId": agent_id, "message": message}
    who: dict[str, Any] = _who(roles, user)
    if page is not None:
        who["page"] = page
    if who:
        fields["context"] = who
    options: dict[str, Any] = {"includePrompt": False}
    if max_tools is not None:
        options["maxTools"] = max_tools
    fields["options"] = options
    request = Request("POST", "/v1/context", _fitting(fields, history))
    return Call(request, read_answer, lambda why: Answer(agent_id, names, fell_open=why))


def find_tools(
    agent_id: str,
    query: str,
    exclude: Iterable[str],
    limit: int | None,
    roles: Iterable[str] | None,
    user: Mapping[str, Any] | None,
    format: DefinitionFormat,
) -> Call[Found]:
    """`POST /v1/find-tools`; nothing found stands in."""
    known = list(_several(exclude, "exclude"))
    fields: dict[str, Any] = {"agentId": agent_id, "query": query, "exclude": known, "format": format}
    if limit is not None:
        fields["limit"] = limit
    who = _who(roles, user)
    if who:
        fields["context"] = who
    request = Request("POST", "/v1/find-tools", _lenient_json(fields))
    return Call(request, read_found, lambda why: Found(agent_id, (), fell_open=why))


def publish(agent_id: str, tools: Iterable[Tool]) -> Call[Counts]:
    """`PUT /v1/agents/{agentId}/catalog`."""
    return Call(Request("PUT", _agent(agent_id, "/catalog"), _json({"tools": list(tools)})), read_counts)


def traces(agent_id: str, conversations: Iterable[Conversation]) -> Call[Counts]:
    """`POST /v1/agents/{agentId}/traces`."""
    return Call(Request("POST", _agent(agent_id, "/traces"), _json(list(conversations))), read_counts)


def read(agent_id: str) -> Call[Counts]:
    """`GET /v1/agents/{agentId}`."""
    return Call(Request("GET", _agent(agent_id, ""), None), read_counts)


def catalog(agent_id: str) -> Call[dict[str, Any]]:
    """`GET /v1/agents/{agentId}/catalog`."""
    return Call(Request("GET", _agent(agent_id, "/catalog"), None), read_object)


def graph(agent_id: str) -> Call[list[Edge]]:
    """`GET /v1/agents/{agentId}/graph`."""
    return Call(Request("GET", _agent(agent_id, "/graph"), None), read_edges)


def delete(agent_id: str) -> Call[None]:
    """`DELETE /v1/agents/{agentId}`."""
    return Call(Request("DELETE", _agent(agent_id, ""), None), read_nothing)


def _agent(agent_id: str, rest: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,128}", agent_id):
        raise ValueError(f"agent_id must be 1 to 128 letters, digits, `-` or `_`, not {agent_id!r}")
    return f"/v1/agents/{quote(agent_id, safe='')}{rest}"


def _name(tool: str | Mapping[str, Any]) -> str | None:
    return tool if isinstance(tool, str) else name_of(tool)


def _who(roles: Iterable[str] | None, user: Mapping[str, Any] | None) -> dict[str, Any]:
    if roles is None:
        return {} if user is None else {"user": dict(user)}
    return {"user": {**(user or {}), "roles": list(_several(roles, "roles"))}}


def _several(values: Iterable[T], what: str) -> Iterable[T]:
    if isinstance(values, str):
        raise TypeError(f"{what} must be several, in a list, not one string")
    return values


def _json(value: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    # Half a surrogate pair, as cutting a text can leave it, is no UTF-8: it becomes a question mark.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default)
    return text.encode("utf-8", "replace")


def _lenient_json(value: Any) -> bytes:
    """JSON of a turn, which no odd argument of an earlier call may stop: dates become text, NaN becomes null."""
    try:
        return _json(value, default=str)
    except ValueError:
        return _json(_finite(value), default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return value


def _fitting(fields: dict[str, Any], history: Sequence[Message]) -> bytes:
    """The body with as much history as the gateway takes: long results are cut first, then the oldest messages go."""
    messages: list[Any] = list(history)
    body = _lenient_json({**fields, "history": messages})
    if len(body) <= TURN_BYTES_MAX:
        return body
    messages = [_shortened(message) for message in messages]
    while messages and len(body := _lenient_json({**fields, "history": messages})) > TURN_BYTES_MAX:
        # A tenth at a time, so that a very long history costs little.
        del messages[: max(1, len(messages) // 10)]
    return body if messages else _lenient_json({**fields, "history": []})


def _shortened(message: Message) -> Any:
    calls = message.get("toolCalls")
    if not calls:
        return message
    return {**message, "toolCalls": [_with_short_result(call) for call in calls]}


def _with_short_result(call: Any) -> Any:
    result = call.get("result")
    return {**call, "result": result[:RESULT_LENGTH]} if isinstance(result, str) else call


def _refused(reply: Reply) -> FellOpen:
    sentence = f"{reply.status}: {_sentence(reply)}"
    if reply.status == 429:
        return FellOpen("rate_limited", sentence, reply.status, reply.retry_after)
    if reply.status >= 500:
        return FellOpen("server_error", sentence, reply.status, reply.retry_after)
    return FellOpen("unreadable", f"answered {reply.status}: is the base URL right?", reply.status)


def _sentence(reply: Reply) -> str:
    try:
        told = read_object(reply.body).get("error")
    except UnansweredError:
        told = None
    return told[:SENTENCE_LENGTH] if isinstance(told, str) and told else "the answer does not say why"
