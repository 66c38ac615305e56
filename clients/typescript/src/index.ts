// How does a TypeScript backend ask a Handpick gateway for the tools of a turn?
//
//   const handpick = new Handpick("http://127.0.0.1:8722", token);
//   const answer = await handpick.context("acme-billing", message, { history, roles, allTools: definitions });
//   const tools = select(definitions, answer); // the same for every model call of this turn
//
// A gateway that is slow, gone or overloaded costs at most two seconds, and the turn goes on with all tools:
// `answer.fellOpen` then says why.

export type { Answer, ChosenTool, Counts, Edge, FellOpen, Found, ToolReason, TurnType } from "./answers.js";
export { Handpick } from "./client.js";
export type { ContextOptions, FindToolsOptions, HandpickOptions } from "./client.js";
export { findToolsDefinition, nameOf, select, toolReferences, toolSearchOutput } from "./definitions.js";
export type { ToolReference, ToolSearchOutput } from "./definitions.js";
export { ApiError, HandpickError, UnansweredError } from "./errors.js";
export type { FallOpenReason } from "./errors.js";
export { historyFromAnthropic, historyFromOpenAI } from "./history.js";
export type {
  Conversation,
  DefinitionFormat,
  JsonObject,
  Message,
  Page,
  Parameter,
  Tool,
  ToolCall,
  User,
} from "./types.js";
