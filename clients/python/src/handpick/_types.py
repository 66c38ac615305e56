"""What does a caller send? The shapes of the API, as typed dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

DefinitionFormat = Literal["openai", "openai-responses", "anthropic", "gemini", "mcp"]
"""Whose spelling of tool definitions `find_tools` answers in."""


class _ParameterName(TypedDict):
    name: str


class Parameter(_ParameterName, total=False):
    """A parameter of a published tool. A required id (`invoice_id`) tells that a lookup may be needed."""

    description: str
    dataType: str
    required: bool


class _ToolNeeds(TypedDict):
    name: str
    description: str


class Tool(_ToolNeeds, total=False):
    """A tool of a catalog: `name` as the model sees it, and what it does, in plain words."""

    displayName: str
    parameters: Sequence[Parameter]
    examples: Sequence[str]
    produces: Sequence[str]
    core: bool
    requiredRoles: Sequence[str]


class _CallName(TypedDict):
    name: str


class ToolCall(_CallName, total=False):
    """A call the assistant made, and what came back, as text."""

    arguments: Mapping[str, Any]
    result: str


class _MessageRole(TypedDict):
    role: Literal["user", "assistant"]


class Message(_MessageRole, total=False):
    """An earlier message of the conversation."""

    content: str
    toolCalls: Sequence[ToolCall]


class Conversation(TypedDict):
    """A past conversation to learn from. The same `id` again replaces it."""

    id: str
    messages: Sequence[Message]


class Page(TypedDict, total=False):
    """The page the user is on, for assistants within an application."""

    url: str
    title: str
