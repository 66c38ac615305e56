// How does a tool loop over the messages API use Handpick? As openai-loop.ts does, spelled differently.
//
//   npm run build && npm run examples
//   HANDPICK_URL=http://127.0.0.1:8722 HANDPICK_KEY=... HANDPICK_ADMIN_KEY=... node examples/built/anthropic-loop.js
//
// Without a gateway it runs as well: every turn falls open and says so.

import { findToolsDefinition, historyFromAnthropic, nameOf, select, type Handpick } from "handpick";

import * as scene from "./scene.js";
import { askClaude, start, type ClaudeMessage, type ClaudeRequest, type ClaudeResult } from "./scripted-model.js";

async function turn(handpick: Handpick, model: string, messages: ClaudeMessage[], text: string): Promise<void> {
  scene.tell("user", text);
  // Before the model is called, and only here: the answer holds for every model call of the turn.
  const answer = await handpick.context(scene.agent, text, {
    history: historyFromAnthropic(messages),
    roles: scene.roles,
    allTools: scene.anthropic,
    maxTools: 4,
  });
  scene.tellAnswer(answer);
  const tools: ClaudeRequest["tools"] = [...select(scene.anthropic, answer), findToolsDefinition("anthropic")];
  const system = scene.system + scene.knownIds(answer);
  messages.push({ role: "user", content: text });
  for (;;) {
    const { content } = await askClaude(model, { model: "scripted", system, messages, tools });
    messages.push({ role: "assistant", content });
    const results: ClaudeResult[] = [];
    for (const block of content) {
      if (block.type === "text") {
        scene.tell("model", block.text);
        continue;
      }
      let result: string;
      if (block.name === "find_tools") {
        scene.tell("model", `find_tools ${JSON.stringify(block.input)}`);
        const exclude = tools.flatMap((tool) => nameOf(tool) ?? []);
        const query = String(block.input["query"]);
        const found = await handpick.findTools(scene.agent, query, { exclude, roles: scene.roles, limit: 2 });
        tools.push(...select(scene.anthropic, found));
        result = scene.toldToModel(found);
      } else {
        result = scene.runTool(block.name, block.input);
      }
      results.push({ type: "tool_result", tool_use_id: block.id, content: result });
    }
    if (results.length === 0) return;
    messages.push({ role: "user", content: results });
  }
}

await scene.publish();
const handpick = scene.connect();
const model = await start();
const messages: ClaudeMessage[] = [];
for (const { user } of scene.script) {
  await turn(handpick, model, messages, user);
  console.log();
}
