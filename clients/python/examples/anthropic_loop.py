"""How does a tool loop over the messages API use Handpick, with asyncio? As openai_loop.py does, spelled differently.

    HANDPICK_URL=http://127.0.0.1:8722 HANDPICK_KEY=... HANDPICK_ADMIN_KEY=... python examples/anthropic_loop.py

Without a gateway it runs as well: every turn falls open and says so.
"""

import asyncio
import json
import os
from typing import Any

import scripted_model
from scene import AGENT, ANTHROPIC, ROLES, SCRIPT, SYSTEM, URL
from scene import known_ids, publish, run_tool, tell, tell_answer, told_to_model

from handpick import AsyncHandpick, find_tools_definition, history_from_anthropic, name_of, select


async def turn(handpick: AsyncHandpick, model: str, messages: list[dict[str, Any]], text: str) -> None:
    tell("user", text)
    # Before the model is called, and only here: the answer holds for every model call of the turn.
    answer = await handpick.context(
        AGENT, text, history=history_from_anthropic(messages), roles=ROLES, all_tools=ANTHROPIC, max_tools=4
    )
    tell_answer(answer)
    tools = [*select(ANTHROPIC, answer), find_tools_definition("anthropic")]
    messages.append({"role": "user", "content": text})
    while True:
        request = {"model": "scripted", "system": SYSTEM + known_ids(answer), "messages": messages, "tools": tools}
        reply = await asyncio.to_thread(scripted_model.ask, model, "/v1/messages", request)
        messages.append({"role": "assistant", "content": reply["content"]})
        uses = [block for block in reply["content"] if block["type"] == "tool_use"]
        for block in reply["content"]:
            if block["type"] == "text":
                tell("model", block["text"])
        if not uses:
            return
        results = []
        for use in uses:
            if use["name"] == "find_tools":
                tell("model", f"find_tools {json.dumps(use['input'])}")
                found = await handpick.find_tools(
                    AGENT, use["input"]["query"], exclude=[n for n in map(name_of, tools) if n], roles=ROLES, limit=2
                )
                tools += select(ANTHROPIC, found)
                result = told_to_model(found)
            else:
                result = run_tool(use["name"], use["input"])
            results.append({"type": "tool_result", "tool_use_id": use["id"], "content": result})
        messages.append({"role": "user", "content": results})


async def main() -> None:
    publish()
    handpick, model = AsyncHandpick(URL, os.environ.get("HANDPICK_KEY", "no-key")), scripted_model.start()
    messages: list[dict[str, Any]] = []
    for step in SCRIPT:
        await turn(handpick, model, messages, step["user"])
        print()


if __name__ == "__main__":
    asyncio.run(main())
