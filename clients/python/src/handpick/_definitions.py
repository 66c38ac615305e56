"""Which of the caller's own definitions does the model get?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ._answers import Answer, Found
from ._types import DefinitionFormat

Definition = TypeVar("Definition", bound=Mapping[str, Any])

FIND_TOOLS = "find_tools"
_DESCRIPTION = (
    "Search for more tools. You see only those that seem to fit this request; use this when what you need is missing, "
    "and say in a few words what you want to do. Found tools can be called right away."
)
_SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "The task in a few words, e.g. 'set the VAT rate'"}},
    "required": ["query"],
}


def name_of(definition: Mapping[str, Any]) -> str | None:
    """The name in a tool definition of any provider; `None` where it has none, as with some built-in tools."""
    inner = definition.get("function")
    name = inner.get("name") if isinstance(inner, Mapping) else definition.get("name")
    return name if isinstance(name, str) else None


def select(definitions: Iterable[Definition], answer: Answer | Found | Iterable[str]) -> list[Definition]:
    """The caller's own definitions of the tools that were chosen, in the order of the answer.

    Chosen tools that the caller has no definition of are left out.
    """
    names = answer.names if isinstance(answer, (Answer, Found)) else answer
    by_name: dict[str, Definition] = {}
    for definition in definitions:
        name = name_of(definition)
        if name is not None:
            by_name.setdefault(name, definition)
    return [by_name[name] for name in names if name in by_name]


def find_tools_definition(format: DefinitionFormat = "openai") -> dict[str, Any]:
    """A `find_tools` tool for the model, to answer with `Handpick.find_tools`."""
    plain = {"name": FIND_TOOLS, "description": _DESCRIPTION}
    if format == "openai":
        return {"type": "function", "function": plain | {"parameters": _SCHEMA}}
    if format == "openai-responses":
        return {"type": "function"} | plain | {"parameters": _SCHEMA}
    schema_key = {"anthropic": "input_schema", "gemini": "parametersJsonSchema", "mcp": "inputSchema"}[format]
    return plain | {schema_key: _SCHEMA}


def tool_references(found: Found | Iterable[str]) -> list[dict[str, str]]:
    """What was found, as the content of the `tool_result` of a tool search of one's own at Anthropic.

    Every tool named has to be among the request's `tools` with `defer_loading: true`.
    """
    names = found.names if isinstance(found, Found) else found
    return [{"type": "tool_reference", "tool_name": name} for name in names]


def tool_search_output(found: Found, call_id: str) -> dict[str, Any]:
    """What was found, as the answer to a `tool_search_call` that OpenAI's Responses leave to the client.

    Ask for it with `find_tools(..., format="openai-responses")`.
    """
    tools = [dict(definition) | {"defer_loading": True} for definition in found.definitions]
    return {
        "type": "tool_search_output",
        "execution": "client",
        "call_id": call_id,
        "status": "completed",
        "tools": tools,
    }
