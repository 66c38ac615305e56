"""What does the gateway answer, and what is an answer that it did not give?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._errors import FallOpenReason, UnansweredError


@dataclass(frozen=True)
class FellOpen:
    """Why every tool goes to the model this time."""

    reason: FallOpenReason
    detail: str
    """The same in words, for logs."""
    status: int | None = None
    """The HTTP status, where there was one."""
    retry_after: int | None = None
    """Seconds to wait before asking again, where the gateway said so."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"


@dataclass(frozen=True)
class ChosenTool:
    """A tool of the turn, and why it is there. Values that a later gateway adds come through as they are."""

    name: str
    reason: str
    """RETRIEVED, DEPENDENCY, STICKY, RERANKED, CORE or PAGE."""
    detail: str
    score: float
    """For logs alone: tools are not sorted by it."""


@dataclass(frozen=True)
class Answer:
    """The tools of a turn, good for every model call until the user speaks again."""

    agent_id: str
    names: tuple[str, ...]
    """The tools to give to the model, in order: the chosen ones, or all of them where it fell open."""
    tools: tuple[ChosenTool, ...] = ()
    """The same with reasons; empty where it fell open."""
    turn_type: str | None = None
    """SMALLTALK, KNOWLEDGE, ACTION or MIXED; `None` where it fell open."""
    resolved_params: Mapping[str, str] = field(default_factory=dict)
    """Ids that the conversation holds. In the prompt, they save the model from looking them up again."""
    total_ms: float | None = None
    fell_open: FellOpen | None = None
    """Why there is no selection; `None` where there is one."""


@dataclass(frozen=True)
class Found:
    """What the model's own search brought: tools it did not have."""

    agent_id: str
    names: tuple[str, ...]
    tools: tuple[ChosenTool, ...] = ()
    definitions: tuple[Mapping[str, Any], ...] = ()
    """A definition of each tool in the format asked for, in the same order."""
    total_ms: float | None = None
    fell_open: FellOpen | None = None
    """Why nothing could be searched; the model then goes on with what it has."""


@dataclass(frozen=True)
class Counts:
    """What the gateway knows of an agent."""

    agent_id: str
    tools: int
    edges: int
    """Which tool supplies which id to which; `edges_by_source` has the same by where it was learned."""
    traces: int
    """Conversations it learned from."""
    edges_by_source: Mapping[str, int]


@dataclass(frozen=True)
class Edge:
    """`provider` supplies `param` to `consumer`."""

    provider: str
    consumer: str
    param: str
    confidence: float
    source: str
    """DECLARED, STATIC or TRACE."""


def read_object(body: bytes) -> dict[str, Any]:
    """A body that is a JSON object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnansweredError("unreadable", "the answer is not JSON", 200) from error
    if not isinstance(value, dict):
        raise _unlike("an object")
    return value


def read_answer(body: bytes) -> Answer:
    """The answer to `POST /v1/context`. Fields that are not needed may be missing or odd."""
    value = read_object(body)
    tools = _tools(value)
    turn_type = value.get("turnType")
    params = value.get("resolvedParams")
    return Answer(
        agent_id=_text(value.get("agentId")),
        names=tuple(tool.name for tool in tools),
        tools=tools,
        turn_type=turn_type if isinstance(turn_type, str) else None,
        resolved_params={k: v for k, v in params.items() if isinstance(v, str)} if isinstance(params, dict) else {},
        total_ms=_total_ms(value),
    )


def read_found(body: bytes) -> Found:
    """The answer to `POST /v1/find-tools`."""
    value = read_object(body)
    tools, definitions = _tools(value), value.get("definitions")
    if not isinstance(definitions, list) or not all(isinstance(each, dict) for each in definitions):
        raise _unlike("with `definitions`")
    names = tuple(tool.name for tool in tools)
    return Found(_text(value.get("agentId")), names, tools, tuple(definitions), _total_ms(value))


def read_counts(body: bytes) -> Counts:
    """The answer to publishing, to traces and to reading an agent."""
    value = read_object(body)
    sources = value.get("edgesBySource")
    return Counts(
        agent_id=_text(value.get("agentId")),
        tools=_count(value, "tools"),
        edges=_count(value, "edges"),
        traces=_count(value, "traces"),
        edges_by_source={k: v for k, v in sources.items() if _is_count(v)} if isinstance(sources, dict) else {},
    )


def read_edges(body: bytes) -> list[Edge]:
    """The answer to `GET /v1/agents/{agentId}/graph`."""
    edges = read_object(body).get("edges")
    if not isinstance(edges, list) or not all(isinstance(edge, dict) for edge in edges):
        raise _unlike("with `edges`")
    return [
        Edge(
            provider=_text(edge.get("provider")),
            consumer=_text(edge.get("consumer")),
            param=_text(edge.get("param")),
            confidence=_number(edge.get("confidence")) or 0.0,
            source=_text(edge.get("source")),
        )
        for edge in edges
    ]


def read_nothing(body: bytes) -> None:
    """The answer to deleting."""


def _tools(value: dict[str, Any]) -> tuple[ChosenTool, ...]:
    tools = value.get("tools")
    if not isinstance(tools, list):
        raise _unlike("with `tools`")
    return tuple(_tool(tool) for tool in tools)


def _tool(value: Any) -> ChosenTool:
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str):
        raise _unlike("whose `tools` have names")
    score = _number(value.get("score")) or 0.0
    return ChosenTool(name, _text(value.get("reason")), _text(value.get("detail")), score)


def _total_ms(value: dict[str, Any]) -> float | None:
    timings = value.get("timings")
    return _number(timings.get("totalMs")) if isinstance(timings, dict) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _count(value: dict[str, Any], name: str) -> int:
    count = value.get(name)
    if not isinstance(count, int) or isinstance(count, bool):
        raise _unlike(f"with the number `{name}`")
    return count


def _unlike(wanted: str) -> UnansweredError:
    return UnansweredError("unreadable", f"the answer is not JSON {wanted}", 200)
