// What does a caller send? The shapes of the API.

/** Any JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whose spelling of tool definitions `findTools` answers in. */
export type DefinitionFormat = "openai" | "openai-responses" | "anthropic" | "gemini" | "mcp";

/** A parameter of a published tool. A required id (`invoice_id`) tells that a lookup may be needed. */
export interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly dataType?: string;
  readonly required?: boolean;
}

/** A tool of a catalog: `name` as the model sees it, and what it does, in plain words. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly displayName?: string;
  readonly parameters?: readonly Parameter[];
  readonly examples?: readonly string[];
  readonly produces?: readonly string[];
  readonly core?: boolean;
  readonly requiredRoles?: readonly string[];
}

/** A call the assistant made, and what came back, as text. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly result?: string;
}

/** An earlier message of the conversation. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly content?: string;
  readonly toolCalls?: readonly ToolCall[];
}

/** A past conversation to learn from. The same `id` again replaces it. */
export interface Conversation {
  readonly id: string;
  readonly messages: readonly Message[];
}

/** Who asks: `roles` for role-restricted tools, and whatever else you like. From your authenticated session. */
export interface User {
  readonly roles?: readonly string[];
  readonly [attribute: string]: unknown;
}

/** The page the user is on, for assistants within an application. */
export interface Page {
  readonly url?: string;
  readonly title?: string;
}
