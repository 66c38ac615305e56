// What is the example about? A rental desk: its tools, what they answer, and how its turns are told on a terminal.

import { readFileSync } from "node:fs";

import { Handpick, HandpickError, type Answer, type Found, type Tool } from "handpick";

/** What the scripted model does in a step of a turn. */
export type Step =
  | { readonly say: string }
  | { readonly call: string; readonly arguments: Record<string, unknown>; readonly search: string };

interface Scene {
  readonly agent: string;
  readonly role: string;
  readonly system: string;
  readonly catalog: readonly Tool[];
  readonly results: Readonly<Record<string, string>>;
  readonly script: readonly { readonly user: string; readonly model: readonly Step[] }[];
}

const file = process.env["HANDPICK_SCENE"] ?? new URL("../../../scene.json", import.meta.url);
const scene = JSON.parse(readFileSync(file, "utf8")) as Scene;
export const { agent, system, catalog, script } = scene;
export const roles = [scene.role];
const url = process.env["HANDPICK_URL"] ?? "http://127.0.0.1:8722";

/** The arguments of a tool as JSON Schema. */
function schemaOf({ parameters = [] }: Tool) {
  return {
    type: "object" as const,
    properties: Object.fromEntries(
      parameters.map(({ name, description = "" }) => [name, { type: "string", description }]),
    ),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/** Tools as OpenAI's chat completions take them. */
export const openai = catalog.map((tool) => ({
  type: "function" as const,
  function: { name: tool.name, description: tool.description, parameters: schemaOf(tool) },
}));

/** Tools as Anthropic's messages take them. */
export const anthropic = catalog.map((tool) => ({
  name: tool.name,
  description: tool.description,
  input_schema: schemaOf(tool),
}));

/** Yours would do something. */
export function runTool(name: string, given: object): string {
  const result = scene.results[name] ?? "{}";
  tell("tool", `${name} ${JSON.stringify(given)} → ${result}`);
  return result;
}

/** The gateway of `HANDPICK_URL` with the key of `HANDPICK_KEY`; without one, every turn falls open. */
export const connect = (): Handpick => new Handpick(url, process.env["HANDPICK_KEY"] ?? "no-key");

/** Publishes the catalog where `HANDPICK_ADMIN_KEY` allows it. Once a deployment is enough, not once a turn. */
export async function publish(): Promise<void> {
  const key = process.env["HANDPICK_ADMIN_KEY"];
  if (key === undefined) return;
  try {
    const counts = await new Handpick(url, key).publish(agent, catalog);
    tell("publish", `${counts.tools} tools, ${counts.edges} links between them`);
  } catch (error) {
    if (!(error instanceof HandpickError)) throw error;
    tell("publish", `failed, ${error.message}`);
  }
}

/** What the prompt says about ids that the conversation holds already. */
export const knownIds = ({ resolvedParams }: Answer): string =>
  Object.entries(resolvedParams)
    .map(([name, value]) => `\nKnown: ${name} is ${value}.`)
    .join("");

export const tell = (who: string, what: string): void => console.log(`${who.padStart(9)}  ${what}`);

export function tellAnswer(answer: Answer): void {
  if (answer.fellOpen) {
    const { reason, detail } = answer.fellOpen;
    tell("handpick", `no selection (${reason}: ${detail}); all ${answer.names.length} tools for this turn`);
    return;
  }
  tell("handpick", `${answer.turnType}, ${answer.names.length} of ${catalog.length} tools for this turn:`);
  for (const { name, reason, detail } of answer.tools) {
    tell("", `  ${name.padEnd(18)} ${reason.padEnd(11)} ${detail}`);
  }
  for (const [name, value] of Object.entries(answer.resolvedParams)) {
    tell("", `  known from the conversation: ${name} is ${value}`);
  }
}

/** What the model's own search gives back to it. */
export function toldToModel(found: Found): string {
  if (found.fellOpen) {
    tell("handpick", `cannot search now (${found.fellOpen.reason})`);
    return "The search is not available right now. Go on with the tools you have.";
  }
  const names = found.names.join(", ");
  tell("handpick", `found ${names || "nothing"}`);
  return names ? `You can now call: ${names}.` : "There is no such tool.";
}
