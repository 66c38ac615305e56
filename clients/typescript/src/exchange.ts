// How is one request answered within a total time, whatever the other end does?

import { UnansweredError } from "./errors.js";

/** Longest answer that is read, in bytes. The largest honest one is a catalog, of 8 MB at most. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Where the gateway is, and what opens it. */
export interface Target {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is asked. */
export interface Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: string;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly body: string;
}

/** Reads the base URL; what is wrong with either is an error that does not repeat the token. */
export function targetOf(baseUrl: string, token: string): Target {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError("baseUrl must be an http or https URL such as http://127.0.0.1:8722");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError("baseUrl must be an http or https URL such as http://127.0.0.1:8722");
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must have neither credentials nor a query: the token is an argument of its own");
  }
  if (!/^[!-~]+$/.test(token)) throw new TypeError("token must be one word of printable ASCII");
  return {
    base: url.origin + url.pathname.replace(/\/+$/, ""),
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/json",
      "Content-Type": "application/json",
      "User-Agent": "handpick-typescript/0.1.0",
    },
  };
}

/** Asks, and waits for at most `timeout` seconds, everything included. The caller's own signal ends it earlier. */
export async function exchange(
  target: Target,
  request: Request,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  signal?.throwIfAborted();
  const cut = new AbortController();
  const late = new UnansweredError("timeout", `no whole answer within ${timeout} s`);
  const timer = setTimeout(() => cut.abort(late), timeout * 1000);
  const cancel = () => cut.abort(signal?.reason);
  signal?.addEventListener("abort", cancel, { once: true });
  // The race holds even where a runtime is slow to act on its signal.
  const aborted = new Promise<never>((_, reject) => {
    cut.signal.addEventListener("abort", () => reject(cut.signal.reason), { once: true });
  });
  try {
    return await Promise.race([ask(target, request, cut.signal), aborted]);
  } catch (error) {
    throw cut.signal.aborted ? cut.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

async function ask(target: Target, request: Request, signal: AbortSignal): Promise<Reply> {
  let response: Response;
  try {
    response = await fetch(target.base + request.path, {
      method: request.method,
      headers: target.headers,
      body: request.body ?? null,
      // A redirect would carry the token to wherever it points.
      redirect: "manual",
      signal,
    });
  } catch (error) {
    throw unheard(error);
  }
  const { status } = response;
  try {
    const retryAfter = seconds(response.headers.get("Retry-After"));
    return { status, retryAfter, body: await text(response) };
  } catch (error) {
    if (error instanceof UnansweredError) throw error;
    throw new UnansweredError("unreadable", "the answer breaks off", status);
  }
}

async function text(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = response.body.getReader();
  let decoded = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return decoded + decoder.decode();
    bytes += value.byteLength;
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw new UnansweredError("unreadable", "the answer is far too long", response.status);
    }
    decoded += decoder.decode(value, { stream: true });
  }
}

/** Why `fetch` failed before there was an answer: its own text is always "fetch failed", the cause says more. */
function unheard(error: unknown): UnansweredError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  if (code.startsWith("HPE_")) return new UnansweredError("unreadable", `the answer is not HTTP (${code})`);
  const told = cause instanceof Error ? cause.message || code : String(error);
  const reason = code.includes("TIMEOUT") || code === "ETIMEDOUT" ? "timeout" : "unreachable";
  return new UnansweredError(reason, told || "no connection");
}

function seconds(header: string | null): number | undefined {
  const digits = header?.trim() ?? "";
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
