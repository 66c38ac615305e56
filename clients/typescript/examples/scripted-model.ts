// What would a model do? This one follows scene.json: a server on this machine that speaks the APIs of two providers.
//
// It calls a tool only where the request offers it. Where a tool it wants is missing, it asks `find_tools` first.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { script } from "./scene.js";

/** A message of OpenAI's chat completions, as far as this example needs it. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools: { function: { name: string } }[];
}

/** A message of Anthropic's API, as far as this example needs it. */
export type ClaudeMessage =
  | { role: "user"; content: string | ClaudeResult[] }
  | { role: "assistant"; content: ClaudeBlock[] };

export type ClaudeBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

export interface ClaudeResult {
  type: "tool_result";
  tool_use_id: string;
  content: string;
}

export interface ClaudeRequest {
  model: string;
  system: string;
  messages: ClaudeMessage[];
  tools: { name: string }[];
}

type Next = { say: string } | { call: string; arguments: Record<string, unknown> };

/** What comes in the turn of the `users`-th message, after the calls `done`, with the tools `offered`. */
function nextStep(users: number, done: string[], offered: string[]): Next {
  const steps = script[users - 1]?.model ?? [];
  const step = steps[Math.min(done.filter((name) => name !== "find_tools").length, steps.length - 1)];
  if (step === undefined) return { say: "I have nothing more to say." };
  if ("say" in step || offered.includes(step.call)) return step;
  if (offered.includes("find_tools") && done.at(-1) !== "find_tools") {
    return { call: "find_tools", arguments: { query: step.search } };
  }
  return { say: "I have no tool for that." };
}

/** One answer of `POST /v1/chat/completions`. */
function chatCompletion(request: ChatRequest) {
  let users = 0;
  let done: string[] = [];
  for (const message of request.messages) {
    if (message.role === "user") [users, done] = [users + 1, []];
    if (message.role === "assistant") done.push(...(message.tool_calls ?? []).map((call) => call.function.name));
  }
  const offered = request.tools.map((tool) => tool.function.name);
  const step = nextStep(users, done, offered);
  if ("say" in step) return { choices: [{ message: { role: "assistant", content: step.say }, finish_reason: "stop" }] };
  const called = { name: step.call, arguments: JSON.stringify(step.arguments) };
  const tool_calls = [{ id: `call_${users}_${done.length}`, type: "function", function: called }];
  return { choices: [{ message: { role: "assistant", content: null, tool_calls }, finish_reason: "tool_calls" }] };
}

/** One answer of `POST /v1/messages`. */
function claudeMessage(request: ClaudeRequest) {
  let users = 0;
  let done: string[] = [];
  for (const message of request.messages) {
    if (message.role === "user" && typeof message.content === "string") [users, done] = [users + 1, []];
    if (message.role === "assistant") {
      done.push(...message.content.flatMap((block) => (block.type === "tool_use" ? block.name : [])));
    }
  }
  const offered = request.tools.map((tool) => tool.name);
  const step = nextStep(users, done, offered);
  if ("say" in step) {
    return { role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: step.say }] };
  }
  const use = { type: "tool_use", id: `toolu_${users}_${done.length}`, name: step.call, input: step.arguments };
  return { role: "assistant", stop_reason: "tool_use", content: [use] };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** Starts the model and returns its address. */
export function start(): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const request: unknown = JSON.parse(await bodyOf(incoming));
    const isChat = incoming.url === "/v1/chat/completions";
    const answer = isChat ? chatCompletion(request as ChatRequest) : claudeMessage(request as ClaudeRequest);
    outgoing.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      server.unref();
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** One request to the model. With a provider's own package this is one line of yours. */
async function ask(url: string, body: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

export async function askChat(model: string, request: ChatRequest): Promise<ChatMessage & { role: "assistant" }> {
  const answer = await ask(`${model}/v1/chat/completions`, request);
  const { choices } = answer as { choices: [{ message: ChatMessage & { role: "assistant" } }] };
  return choices[0].message;
}

export async function askClaude(model: string, request: ClaudeRequest): Promise<{ content: ClaudeBlock[] }> {
  return (await ask(`${model}/v1/messages`, request)) as { content: ClaudeBlock[] };
}
