// Which of the caller's own definitions does the model get?

import { isObject, type Found } from "./answers.js";
import type { DefinitionFormat, JsonObject } from "./types.js";

const FIND_TOOLS = {
  name: "find_tools",
  description:
    "Search for more tools. You see only those that seem to fit this request; use this when what you need is " +
    "missing, and say in a few words what you want to do. Found tools can be called right away.",
};
const SCHEMA = {
  type: "object",
  properties: { query: { type: "string", description: "The task in a few words, e.g. 'set the VAT rate'" } },
  required: ["query"],
} as const;

/** `find_tools` as each provider spells it. */
export interface FindToolsDefinitions {
  openai: { type: "function"; function: typeof FIND_TOOLS & { parameters: typeof SCHEMA } };
  "openai-responses": { type: "function"; parameters: typeof SCHEMA } & typeof FIND_TOOLS;
  anthropic: typeof FIND_TOOLS & { input_schema: typeof SCHEMA };
  gemini: typeof FIND_TOOLS & { parametersJsonSchema: typeof SCHEMA };
  mcp: typeof FIND_TOOLS & { inputSchema: typeof SCHEMA };
}

/** The name in a tool definition of any provider; `undefined` where it has none, as with some built-in tools. */
export function nameOf(definition: object): string | undefined {
  const outer: { name?: unknown; function?: unknown } = definition;
  const name = isObject(outer.function) ? outer.function["name"] : outer.name;
  return typeof name === "string" ? name : undefined;
}

/**
 * The caller's own definitions of the tools that were chosen, in the order of the answer.
 *
 * Chosen tools that the caller has no definition of are left out.
 */
export function select<Definition extends object>(
  definitions: Iterable<Definition>,
  answer: { readonly names: readonly string[] } | readonly string[],
): Definition[] {
  const byName = new Map<string, Definition>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    if (name !== undefined && !byName.has(name)) byName.set(name, definition);
  }
  const names = "names" in answer ? answer.names : answer;
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** A `find_tools` tool for the model, to answer with `Handpick.findTools`. */
export function findToolsDefinition<Format extends DefinitionFormat>(format: Format): FindToolsDefinitions[Format] {
  const all: FindToolsDefinitions = {
    openai: { type: "function", function: { ...FIND_TOOLS, parameters: SCHEMA } },
    "openai-responses": { type: "function", ...FIND_TOOLS, parameters: SCHEMA },
    anthropic: { ...FIND_TOOLS, input_schema: SCHEMA },
    gemini: { ...FIND_TOOLS, parametersJsonSchema: SCHEMA },
    mcp: { ...FIND_TOOLS, inputSchema: SCHEMA },
  };
  return all[format];
}

/** A tool that was found, as a tool search of one's own names it to Anthropic. */
export interface ToolReference {
  type: "tool_reference";
  tool_name: string;
}

/**
 * What was found, as the content of the `tool_result` of a tool search of one's own at Anthropic.
 *
 * Every tool named has to be among the request's `tools` with `defer_loading: true`.
 */
export function toolReferences(found: { readonly names: readonly string[] }): ToolReference[] {
  return found.names.map((name) => ({ type: "tool_reference", tool_name: name }));
}

/** What was found, as the answer to a tool search that OpenAI's Responses leave to the client. */
export interface ToolSearchOutput {
  type: "tool_search_output";
  execution: "client";
  call_id: string;
  status: "completed";
  tools: JsonObject[];
}

/** The answer to a `tool_search_call`; ask for it with the format `openai-responses`. */
export function toolSearchOutput(found: Pick<Found, "definitions">, callId: string): ToolSearchOutput {
  const tools = found.definitions.map((definition) => ({ ...definition, defer_loading: true }));
  return { type: "tool_search_output", execution: "client", call_id: callId, status: "completed", tools };
}
