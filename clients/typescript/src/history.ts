// How do a provider's messages become the history of a turn?
//
// System messages and pictures say nothing about tools and are left out. Results of calls join the call they answer.

import { isObject } from "./answers.js";
import type { JsonObject, Message } from "./types.js";

type Call = { name: string; arguments: JsonObject; result?: string };

/** History from messages of OpenAI's chat completions. */
export function historyFromOpenAI(messages: Iterable<object>): Message[] {
  const history: Message[] = [];
  const calls = new Map<unknown, Call>();
  for (const message of messages as Iterable<JsonObject>) {
    const content = textOf(message["content"]);
    if (message["role"] === "user") {
      history.push({ role: "user", content });
    } else if (message["role"] === "assistant") {
      const made: Call[] = [];
      for (const call of objects(message["tool_calls"])) {
        const named = isObject(call["function"]) ? call["function"] : {};
        noteCall(calls, made, call["id"], named["name"], named["arguments"]);
      }
      history.push(assistant(content, made));
    } else if (message["role"] === "tool") {
      noteResult(calls, message["tool_call_id"], content);
    }
  }
  return history;
}

/** History from messages of Anthropic's messages API. */
export function historyFromAnthropic(messages: Iterable<object>): Message[] {
  const history: Message[] = [];
  const calls = new Map<unknown, Call>();
  for (const message of messages as Iterable<JsonObject>) {
    const blocks = blocksOf(message["content"]);
    if (message["role"] === "assistant") {
      const made: Call[] = [];
      for (const block of blocks) {
        if (block["type"] === "tool_use") noteCall(calls, made, block["id"], block["name"], block["input"]);
      }
      history.push(assistant(textOf(blocks), made));
      continue;
    }
    const results = blocks.filter((block) => block["type"] === "tool_result");
    for (const block of results) {
      noteResult(calls, block["tool_use_id"], textOf(block["content"]));
    }
    const content = textOf(blocks);
    if (content !== "" || results.length === 0) history.push({ role: "user", content });
  }
  return history;
}

function noteCall(calls: Map<unknown, Call>, made: Call[], id: unknown, name: unknown, given: unknown): void {
  if (typeof name !== "string") return;
  const call = { name, arguments: argumentsOf(given) };
  made.push(call);
  calls.set(id, call);
}

function noteResult(calls: Map<unknown, Call>, id: unknown, result: string): void {
  const answered = typeof id === "string" ? calls.get(id) : undefined;
  if (answered) answered.result = result;
}

function argumentsOf(given: unknown): JsonObject {
  if (typeof given !== "string") return isObject(given) ? given : {};
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const assistant = (content: string, toolCalls: Call[]): Message =>
  toolCalls.length === 0 ? { role: "assistant", content } : { role: "assistant", content, toolCalls };

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const blocksOf = (content: unknown): JsonObject[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : objects(content);

const textOf = (content: unknown): string =>
  blocksOf(content)
    .map((block) => block["text"])
    .filter((text) => typeof text === "string")
    .join("\n");
