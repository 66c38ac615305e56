"""What does a server that speaks the stateless era, too, send that most servers never do?

The same tools as corners.mjs, served by the low-level server of the Python SDK 2.x, which answers both eras.
"""

import json
from pathlib import Path

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

CORNERS = json.loads((Path(__file__).parent / "corners.json").read_text(encoding="utf-8"))
cancelled_tokens: set[str] = set()
held: dict[str, anyio.Event] = {}
tools = list(CORNERS["tools"])


# The stateless era wants it on every result; the SDK leaves it out for clients of the other era.
COMPLETE = {"resultType": "complete"}


def text(value: str) -> dict:
    return {"content": [{"type": "text", "text": value}]} | COMPLETE


async def list_tools(_ctx, params) -> dict:
    start = int(params.cursor) if params and params.cursor else 0
    end = start + 3
    page = {"tools": tools[start:end], "ttlMs": 0, "cacheScope": "public"} | COMPLETE
    return page | ({"nextCursor": str(end)} if end < len(tools) else {})


async def steps(ctx, arguments: dict) -> dict:
    """With `held`, the result comes after a `release` of that token."""
    token = arguments.get("held")
    if token is not None:
        held[token] = anyio.Event()
    for step in range(1, arguments["count"] + 1):
        await ctx.session.report_progress(step, arguments["count"], f"step {step}")
    if token is not None:
        await held[token].wait()
    return text(f"counted to {arguments['count']}")


async def wait(ctx, arguments: dict) -> dict:
    await ctx.session.report_progress(1, 2, "waiting")
    try:
        # Longer than the checks wait for it, shorter than the gateway's own time-out, which cancels too.
        await anyio.sleep(50)
    except anyio.get_cancelled_exc_class():
        cancelled_tokens.add(arguments["token"])
        raise
    return text("nobody cancelled")


def grow(arguments: dict) -> dict:
    name = arguments["name"]
    if all(tool["name"] != name for tool in tools):
        tools.append({"name": name, "description": "Was added later.", "inputSchema": {"type": "object"}})
    return text(f"{len(tools)} tools")


async def call_tool(ctx, params) -> dict:
    arguments = params.arguments or {}
    match params.name:
        case "mixed" | "refuse":
            return CORNERS[params.name] | COMPLETE
        case "reflect":
            return text(json.dumps(arguments, separators=(",", ":"), ensure_ascii=False))
        case "cancelled":
            return text(json.dumps(arguments["token"] in cancelled_tokens))
        case "steps":
            return await steps(ctx, arguments)
        case "release":
            if arguments["token"] in held:
                held[arguments["token"]].set()
            return text("released")
        case "wait":
            return await wait(ctx, arguments)
        case "grow":
            answer = grow(arguments)
            await ctx.session.send_notification(types.ToolListChangedNotification())
            return answer
    return text(f"{params.name} was called")


async def main() -> None:
    server = Server("corners-modern", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
