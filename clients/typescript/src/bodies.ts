// What is written into a request?

import type { Message, Page, User } from "./types.js";

/** Longest body of a turn that the gateway takes, in bytes. */
const TURN_BYTES_MAX = 256 * 1024;
/** What is left of each result of a call where the body would be longer: no more of a text is matched. */
const RESULT_LENGTH = 8 * 1024;

/** JSON. Half a surrogate pair, as cutting a text can leave it, becomes a replacement character; a bigint is a text. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "bigint") return String(each);
    return typeof each === "string" ? wellFormed(each) : each;
  });
}

/** Several values; one string, which would be taken for its letters, is a mistake. */
export function several<T>(values: Iterable<T>, what: string): T[] {
  if (typeof values === "string") throw new TypeError(`${what} must be several, in an array, not one string`);
  return [...values];
}

/** The `context` of a request, where there is anything to say in it. */
export function who(
  roles: Iterable<string> | undefined,
  user: User | undefined,
  page: Page | undefined,
): { context?: object } {
  const known = roles === undefined ? user : { ...user, roles: several(roles, "roles") };
  const context = { ...(known === undefined ? {} : { user: known }), ...(page === undefined ? {} : { page }) };
  return Object.keys(context).length === 0 ? {} : { context };
}

/** The body with as much history as the gateway takes: long results are cut first, then the oldest messages go. */
export function contextBody(fields: object, history: readonly Message[]): string {
  const whole = json({ ...fields, history });
  if (bytes(whole) <= TURN_BYTES_MAX) return whole;
  let messages = history.map(shortened);
  while (messages.length > 0) {
    const body = json({ ...fields, history: messages });
    if (bytes(body) <= TURN_BYTES_MAX) return body;
    // A tenth at a time, so that a very long history costs little.
    messages = messages.slice(Math.max(1, Math.floor(messages.length / 10)));
  }
  return json({ ...fields, history: [] });
}

function shortened(message: Message): Message {
  if (message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) =>
    call.result === undefined ? call : { ...call, result: call.result.slice(0, RESULT_LENGTH) },
  );
  return { ...message, toolCalls };
}

const bytes = (text: string) => new TextEncoder().encode(text).byteLength;

const HALF_PAIRS = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const wellFormed = (text: string) => text.replace(HALF_PAIRS, "\uFFFD");
