// What does the gateway answer, and what is an answer that it did not give?

import { type FallOpenReason, UnansweredError } from "./errors.js";
import type { JsonObject } from "./types.js";

/** Why every tool goes to the model this time. */
export interface FellOpen {
  readonly reason: FallOpenReason;
  /** The same in words, for logs. */
  readonly detail: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** Seconds to wait before asking again, where the gateway said so. */
  readonly retryAfter?: number;
}

/** Why a tool is there. Values that a later gateway adds come through as they are. */
export type ToolReason =
  | "RETRIEVED"
  | "DEPENDENCY"
  | "STICKY"
  | "RERANKED"
  | "CORE"
  | "PAGE"
  | (string & Record<never, never>);

/** What kind of turn it is. */
export type TurnType = "SMALLTALK" | "KNOWLEDGE" | "ACTION" | "MIXED" | (string & Record<never, never>);

/** A tool of the turn, and why it is there. */
export interface ChosenTool {
  readonly name: string;
  readonly reason: ToolReason;
  readonly detail: string;
  /** For logs alone: tools are not sorted by it. */
  readonly score: number;
}

/** The tools of a turn, good for every model call until the user speaks again. */
export interface Answer {
  readonly agentId: string;
  /** The tools to give to the model, in order: the chosen ones, or all of them where it fell open. */
  readonly names: readonly string[];
  /** The same with reasons; empty where it fell open. */
  readonly tools: readonly ChosenTool[];
  /** Absent where it fell open. */
  readonly turnType?: TurnType;
  /** Ids that the conversation holds. In the prompt, they save the model from looking them up again. */
  readonly resolvedParams: Readonly<Record<string, string>>;
  readonly totalMs?: number;
  /** Why there is no selection; absent where there is one. */
  readonly fellOpen?: FellOpen;
}

/** What the model's own search brought: tools it did not have. */
export interface Found {
  readonly agentId: string;
  readonly names: readonly string[];
  readonly tools: readonly ChosenTool[];
  /** A definition of each tool in the format asked for, in the same order. */
  readonly definitions: readonly JsonObject[];
  readonly totalMs?: number;
  /** Why nothing could be searched; the model then goes on with what it has. */
  readonly fellOpen?: FellOpen;
}

/** What the gateway knows of an agent. */
export interface Counts {
  readonly agentId: string;
  readonly tools: number;
  /** Which tool supplies which id to which; `edgesBySource` has the same by where it was learned. */
  readonly edges: number;
  /** Conversations it learned from. */
  readonly traces: number;
  readonly edgesBySource: Readonly<Record<string, number>>;
}

/** `provider` supplies `param` to `consumer`. */
export interface Edge {
  readonly provider: string;
  readonly consumer: string;
  readonly param: string;
  readonly confidence: number;
  readonly source: "DECLARED" | "STATIC" | "TRACE" | (string & Record<never, never>);
}

/** A body that is a JSON object. */
export function readObject(body: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new UnansweredError("unreadable", "the answer is not JSON", 200);
  }
  if (!isObject(value)) throw unlike("an object");
  return value;
}

/** The answer to `POST /v1/context`. Fields that are not needed may be missing or odd. */
export function readAnswer(body: string): Answer {
  const value = readObject(body);
  const tools = toolsOf(value);
  return {
    agentId: text(value["agentId"]),
    names: tools.map((tool) => tool.name),
    tools,
    ...(typeof value["turnType"] === "string" ? { turnType: value["turnType"] } : {}),
    resolvedParams: entries(value["resolvedParams"], (each) => typeof each === "string"),
    ...totalMs(value),
  };
}

/** The answer to `POST /v1/find-tools`. */
export function readFound(body: string): Found {
  const value = readObject(body);
  const tools = toolsOf(value);
  const definitions = value["definitions"];
  if (!Array.isArray(definitions) || !definitions.every(isObject)) throw unlike("with `definitions`");
  const names = tools.map((tool) => tool.name);
  return { agentId: text(value["agentId"]), names, tools, definitions, ...totalMs(value) };
}

/** The answer to publishing, to traces and to reading an agent. */
export function readCounts(body: string): Counts {
  const value = readObject(body);
  return {
    agentId: text(value["agentId"]),
    tools: count(value, "tools"),
    edges: count(value, "edges"),
    traces: count(value, "traces"),
    edgesBySource: entries(value["edgesBySource"], (each) => typeof each === "number"),
  };
}

/** The answer to `GET /v1/agents/{agentId}/graph`. */
export function readEdges(body: string): Edge[] {
  const edges = readObject(body)["edges"];
  if (!Array.isArray(edges) || !edges.every(isObject)) throw unlike("with `edges`");
  return edges.map((edge) => ({
    provider: text(edge["provider"]),
    consumer: text(edge["consumer"]),
    param: text(edge["param"]),
    confidence: typeof edge["confidence"] === "number" ? edge["confidence"] : 0,
    source: text(edge["source"]),
  }));
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toolsOf(value: JsonObject): ChosenTool[] {
  const tools = value["tools"];
  if (!Array.isArray(tools)) throw unlike("with `tools`");
  return tools.map((tool: unknown) => {
    if (!isObject(tool) || typeof tool["name"] !== "string") throw unlike("whose `tools` have names");
    const score = typeof tool["score"] === "number" ? tool["score"] : 0;
    return { name: tool["name"], reason: text(tool["reason"]), detail: text(tool["detail"]), score };
  });
}

function totalMs(value: JsonObject): { totalMs?: number } {
  const timings = value["timings"];
  const total = isObject(timings) ? timings["totalMs"] : undefined;
  return typeof total === "number" ? { totalMs: total } : {};
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function entries<T>(value: unknown, fits: (each: unknown) => each is T): Record<string, T> {
  const found: [string, T][] = [];
  for (const [key, each] of isObject(value) ? Object.entries(value) : []) {
    if (fits(each)) found.push([key, each]);
  }
  return Object.fromEntries(found);
}

function count(value: JsonObject, name: string): number {
  const number = value[name];
  if (typeof number !== "number") throw unlike(`with the number \`${name}\``);
  return number;
}

const unlike = (wanted: string) => new UnansweredError("unreadable", `the answer is not JSON ${wanted}`, 200);
