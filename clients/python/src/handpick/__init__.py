"""How does a Python backend ask a Handpick gateway for the tools of a turn?

    from handpick import Handpick, select

    handpick = Handpick("http://127.0.0.1:8722", token)
    answer = handpick.context("acme-billing", message, history=history, roles=user.roles, all_tools=definitions)
    tools = select(definitions, answer)      # the same for every model call of this turn

A gateway that is slow, gone or overloaded costs at most two seconds, and the turn goes on with all tools:
`answer.fell_open` then says why. `AsyncHandpick` is the same for asyncio.
"""

from ._answers import Answer, ChosenTool, Counts, Edge, FellOpen, Found
from ._client import AsyncHandpick, Handpick
from ._definitions import find_tools_definition, name_of, select, tool_references, tool_search_output
from ._errors import ApiError, FallOpenReason, HandpickError, UnansweredError
from ._history import history_from_anthropic, history_from_openai
from ._types import Conversation, DefinitionFormat, Message, Page, Parameter, Tool, ToolCall

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "ApiError",
    "AsyncHandpick",
    "ChosenTool",
    "Conversation",
    "Counts",
    "DefinitionFormat",
    "Edge",
    "FallOpenReason",
    "FellOpen",
    "Found",
    "Handpick",
    "HandpickError",
    "Message",
    "Page",
    "Parameter",
    "Tool",
    "ToolCall",
    "UnansweredError",
    "find_tools_definition",
    "history_from_anthropic",
    "history_from_openai",
    "name_of",
    "select",
    "tool_references",
    "tool_search_output",
]
