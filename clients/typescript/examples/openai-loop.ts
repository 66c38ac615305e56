// How does a tool loop over chat completions use Handpick? Once for each message of the user, and `find_tools` besides.
//
//   npm run build && npm run examples
//   HANDPICK_URL=http://127.0.0.1:8722 HANDPICK_KEY=... HANDPICK_ADMIN_KEY=... node examples/built/openai-loop.js
//
// Without a gateway it runs as well: every turn falls open and says so.

import { findToolsDefinition, historyFromOpenAI, nameOf, select, type Handpick } from "handpick";

import * as scene from "./scene.js";
import { askChat, start, type ChatMessage, type ChatRequest } from "./scripted-model.js";

async function turn(handpick: Handpick, model: string, messages: ChatMessage[], text: string): Promise<void> {
  scene.tell("user", text);
  // Before the model is called, and only here: the answer holds for every model call of the turn.
  const answer = await handpick.context(scene.agent, text, {
    history: historyFromOpenAI(messages),
    roles: scene.roles,
    allTools: scene.openai,
    maxTools: 4,
  });
  scene.tellAnswer(answer);
  const tools: ChatRequest["tools"] = [...select(scene.openai, answer), findToolsDefinition("openai")];
  const system: ChatMessage = { role: "system", content: scene.system + scene.knownIds(answer) };
  messages.push({ role: "user", content: text });
  for (;;) {
    const reply = await askChat(model, { model: "scripted", messages: [system, ...messages], tools });
    messages.push(reply);
    if (!reply.tool_calls?.length) {
      scene.tell("model", reply.content ?? "");
      return;
    }
    for (const call of reply.tool_calls) {
      const given = JSON.parse(call.function.arguments) as Record<string, unknown>;
      let result: string;
      if (call.function.name === "find_tools") {
        scene.tell("model", `find_tools ${JSON.stringify(given)}`);
        const exclude = tools.flatMap((tool) => nameOf(tool) ?? []);
        const query = String(given["query"]);
        const found = await handpick.findTools(scene.agent, query, { exclude, roles: scene.roles, limit: 2 });
        tools.push(...select(scene.openai, found));
        result = scene.toldToModel(found);
      } else {
        result = scene.runTool(call.function.name, given);
      }
      messages.push({ role: "tool", tool_call_id: call.id, content: result });
    }
  }
}

await scene.publish();
const handpick = scene.connect();
const model = await start();
const messages: ChatMessage[] = [];
for (const { user } of scene.script) {
  await turn(handpick, model, messages, user);
  console.log();
}
