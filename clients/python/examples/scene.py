"""What is the example about? A rental desk: its tools, what they answer, and how its turns are told on a terminal."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handpick import Answer, Found, Handpick, HandpickError, Tool

_SCENE: dict[str, Any] = json.loads((Path(__file__).parents[2] / "scene.json").read_text(encoding="utf-8"))
AGENT: str = _SCENE["agent"]
ROLES: list[str] = [_SCENE["role"]]
SYSTEM: str = _SCENE["system"]
CATALOG: list[Tool] = _SCENE["catalog"]
SCRIPT: list[dict[str, Any]] = _SCENE["script"]
URL = os.environ.get("HANDPICK_URL", "http://127.0.0.1:8722")


def schema_of(tool: Tool) -> dict[str, Any]:
    """The arguments of a tool as JSON Schema."""
    parameters = tool.get("parameters", ())
    texts = {p["name"]: {"type": "string", "description": p.get("description", "")} for p in parameters}
    return {"type": "object", "properties": texts, "required": [p["name"] for p in parameters if p.get("required")]}


OPENAI: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": t["name"], "description": t["description"], "parameters": schema_of(t)}}
    for t in CATALOG
]
ANTHROPIC: list[dict[str, Any]] = [
    {"name": t["name"], "description": t["description"], "input_schema": schema_of(t)} for t in CATALOG
]


def run_tool(name: str, arguments: Mapping[str, Any]) -> str:
    """Yours would do something."""
    result: str = _SCENE["results"].get(name, "{}")
    tell("tool", f"{name} {json.dumps(arguments)} → {result}")
    return result


def connect() -> Handpick:
    """The gateway of `HANDPICK_URL` with the key of `HANDPICK_KEY`; without one, every turn falls open."""
    return Handpick(URL, os.environ.get("HANDPICK_KEY", "no-key"))


def publish() -> None:
    """Publishes the catalog where `HANDPICK_ADMIN_KEY` allows it. Once a deployment is enough, not once a turn."""
    key = os.environ.get("HANDPICK_ADMIN_KEY")
    if key is None:
        return
    try:
        counts = Handpick(URL, key).publish(AGENT, CATALOG)
        tell("publish", f"{counts.tools} tools, {counts.edges} links between them")
    except HandpickError as error:
        tell("publish", f"failed, {error}")


def known_ids(answer: Answer) -> str:
    """What the prompt says about ids that the conversation holds already."""
    return "".join(f"\nKnown: {name} is {value}." for name, value in answer.resolved_params.items())


def tell(who: str, what: str) -> None:
    print(f"{who:>9}  {what}", flush=True)


def tell_answer(answer: Answer) -> None:
    if answer.fell_open:
        tell("handpick", f"no selection ({answer.fell_open}); all {len(answer.names)} tools for this turn")
        return
    tell("handpick", f"{answer.turn_type}, {len(answer.names)} of {len(CATALOG)} tools for this turn:")
    for tool in answer.tools:
        tell("", f"  {tool.name:18} {tool.reason:11} {tool.detail}")
    for name, value in answer.resolved_params.items():
        tell("", f"  known from the conversation: {name} is {value}")


def told_to_model(found: Found) -> str:
    """What the model's own search gives back to it."""
    if found.fell_open:
        tell("handpick", f"cannot search now ({found.fell_open})")
        return "The search is not available right now. Go on with the tools you have."
    tell("handpick", f"found {', '.join(found.names) or 'nothing'}")
    return f"You can now call: {', '.join(found.names)}." if found.names else "There is no such tool."
