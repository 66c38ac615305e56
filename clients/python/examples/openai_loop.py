"""How does a tool loop over chat completions use Handpick? Once for each message of the user, and `find_tools` besides.

    HANDPICK_URL=http://127.0.0.1:8722 HANDPICK_KEY=... HANDPICK_ADMIN_KEY=... python examples/openai_loop.py

Without a gateway it runs as well: every turn falls open and says so.
"""

import json
from typing import Any

import scripted_model
from scene import AGENT, OPENAI, ROLES, SCRIPT, SYSTEM
from scene import connect, known_ids, publish, run_tool, tell, tell_answer, told_to_model

from handpick import Handpick, find_tools_definition, history_from_openai, name_of, select


def turn(handpick: Handpick, model: str, messages: list[dict[str, Any]], text: str) -> None:
    tell("user", text)
    # Before the model is called, and only here: the answer holds for every model call of the turn.
    answer = handpick.context(
        AGENT, text, history=history_from_openai(messages), roles=ROLES, all_tools=OPENAI, max_tools=4
    )
    tell_answer(answer)
    tools = [*select(OPENAI, answer), find_tools_definition("openai")]
    system = {"role": "system", "content": SYSTEM + known_ids(answer)}
    messages.append({"role": "user", "content": text})
    while True:
        request = {"model": "scripted", "messages": [system, *messages], "tools": tools}
        reply = scripted_model.ask(model, "/v1/chat/completions", request)["choices"][0]["message"]
        messages.append(reply)
        if not reply.get("tool_calls"):
            tell("model", reply["content"])
            return
        for call in reply["tool_calls"]:
            name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
            if name == "find_tools":
                tell("model", f"find_tools {json.dumps(arguments)}")
                found = handpick.find_tools(
                    AGENT, arguments["query"], exclude=[n for n in map(name_of, tools) if n], roles=ROLES, limit=2
                )
                tools += select(OPENAI, found)
                result = told_to_model(found)
            else:
                result = run_tool(name, arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


def main() -> None:
    publish()
    handpick, model = connect(), scripted_model.start()
    messages: list[dict[str, Any]] = []
    for step in SCRIPT:
        turn(handpick, model, messages, step["user"])
        print()


if __name__ == "__main__":
    main()
