// Which methods does a backend call, and what stands in for an answer that does not come?

import type { Answer, Counts, Edge, FellOpen, Found } from "./answers.js";
import { readAnswer, readCounts, readEdges, readFound, readObject } from "./answers.js";
import { contextBody, json, several, who } from "./bodies.js";
import { nameOf } from "./definitions.js";
import { ApiError, UnansweredError } from "./errors.js";
import { exchange, targetOf } from "./exchange.js";
import type { Reply, Request, Target } from "./exchange.js";
import type { Conversation, DefinitionFormat, JsonObject, Message, Page, Tool, User } from "./types.js";

/** How long the client waits, in seconds. Each is the total, from the name lookup to the last byte. */
export interface HandpickOptions {
  /** For `context` and `findTools`. Default 2. */
  readonly timeout?: number | undefined;
  /** For everything else. Default 60. */
  readonly publishTimeout?: number | undefined;
}

/** What `context` is asked with, besides the message. */
export interface ContextOptions {
  /**
   * The names, or the definitions, that stand in when no selection comes within the time: those that this user may
   * use, for roles are looked at by the gateway alone.
   */
  readonly allTools: Iterable<string | object>;
  readonly history?: readonly Message[] | undefined;
  /** The user's roles, from your authenticated session. */
  readonly roles?: Iterable<string> | undefined;
  /** The user with further attributes; `roles` above wins. */
  readonly user?: User | undefined;
  readonly page?: Page | undefined;
  /** Most matched tools, 0 to 50. */
  readonly maxTools?: number | undefined;
  /** Cancels the call; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** What `findTools` is asked with, besides the query. */
export interface FindToolsOptions {
  /** Names of tools that the model has already. */
  readonly exclude?: Iterable<string> | undefined;
  /** Most tools, 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  readonly roles?: Iterable<string> | undefined;
  readonly user?: User | undefined;
  /** Whose spelling the definitions have. Default `openai`. */
  readonly format?: DefinitionFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A gateway. Holds no state of a conversation; one is enough for a whole process. */
export class Handpick {
  // Private to the language, so that no log or dump of this object shows the token.
  readonly #target: Target;
  readonly #timeout: number;
  readonly #publishTimeout: number;

  constructor(baseUrl: string, token: string, { timeout = 2, publishTimeout = 60 }: HandpickOptions = {}) {
    if (!(timeout > 0 && publishTimeout > 0)) throw new RangeError("timeout and publishTimeout must be above 0");
    this.#target = targetOf(baseUrl, token);
    this.#timeout = timeout;
    this.#publishTimeout = publishTimeout;
  }

  /**
   * The tools for what the user just wrote. Once for each message; keep the answer for the whole turn.
   *
   * Throws `ApiError` for what is wrong with the request itself, and nothing else: every other failure gives all tools.
   */
  async context(agentId: string, message: string, options: ContextOptions): Promise<Answer> {
    const { history = [], page, maxTools } = options;
    const all = several(options.allTools, "allTools");
    const names = all.map((tool) => (typeof tool === "string" ? tool : nameOf(tool)));
    const body = contextBody(
      {
        agentId,
        message,
        ...who(options.roles, options.user, page),
        options: { includePrompt: false, ...(maxTools === undefined ? {} : { maxTools }) },
      },
      history,
    );
    return this.#turn({ method: "POST", path: "/v1/context", body }, options.signal, readAnswer, (fellOpen) => ({
      agentId,
      names: names.filter((name) => name !== undefined),
      tools: [],
      resolvedParams: {},
      fellOpen,
    }));
  }

  /** Tools that the turn left out, for the model's own `find_tools`. None where the gateway does not answer. */
  async findTools(agentId: string, query: string, options: FindToolsOptions = {}): Promise<Found> {
    const { exclude = [], limit, format = "openai" } = options;
    const body = json({
      agentId,
      query,
      exclude: several(exclude, "exclude"),
      format,
      ...(limit === undefined ? {} : { limit }),
      ...who(options.roles, options.user, undefined),
    });
    return this.#turn({ method: "POST", path: "/v1/find-tools", body }, options.signal, readFound, (fellOpen) => ({
      agentId,
      names: [],
      tools: [],
      definitions: [],
      fellOpen,
    }));
  }

  /** Replaces the agent's catalog, from the next request on. Needs an admin token; never falls open. */
  async publish(agentId: string, tools: Iterable<Tool>): Promise<Counts> {
    return readCounts(await this.#surely("PUT", agentId, "/catalog", { tools: [...tools] }));
  }

  /** Adds past conversations to learn from. Needs an admin token; never falls open. */
  async traces(agentId: string, conversations: Iterable<Conversation>): Promise<Counts> {
    return readCounts(await this.#surely("POST", agentId, "/traces", [...conversations]));
  }

  /** What the gateway knows of the agent, in numbers. */
  async read(agentId: string): Promise<Counts> {
    return readCounts(await this.#surely("GET", agentId, ""));
  }

  /** The catalog as it was published. */
  async catalog(agentId: string): Promise<JsonObject> {
    return readObject(await this.#surely("GET", agentId, "/catalog"));
  }

  /** Which tool supplies which id to which. */
  async graph(agentId: string): Promise<Edge[]> {
    return readEdges(await this.#surely("GET", agentId, "/graph"));
  }

  /** Forgets the agent: its catalog, its conversations and what was learned. Needs an admin token. */
  async delete(agentId: string): Promise<void> {
    await this.#surely("DELETE", agentId, "");
  }

  async #turn<T>(
    request: Request,
    signal: AbortSignal | undefined,
    read: (body: string) => T,
    fallOpen: (why: FellOpen) => T,
  ): Promise<T> {
    try {
      const reply = await exchange(this.#target, request, this.#timeout, signal);
      if (isGood(reply)) return read(reply.body);
      if (reply.status >= 400 && reply.status < 500 && reply.status !== 429) throw refusal(reply);
      return fallOpen(refused(reply));
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      const { reason, message: detail, status } = error;
      return fallOpen({ reason, detail, ...(status === undefined ? {} : { status }) });
    }
  }

  async #surely(method: Request["method"], agentId: string, rest: string, value?: unknown): Promise<string> {
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(agentId)) {
      throw new TypeError(`agentId must be 1 to 128 letters, digits, \`-\` or \`_\`, not ${JSON.stringify(agentId)}`);
    }
    const path = `/v1/agents/${agentId}${rest}`;
    const request = value === undefined ? { method, path } : { method, path, body: json(value) };
    const reply = await exchange(this.#target, request, this.#publishTimeout, undefined);
    if (!isGood(reply)) throw refusal(reply);
    return reply.body;
  }
}

const isGood = (reply: Reply) => reply.status >= 200 && reply.status < 300;

const refusal = (reply: Reply) => new ApiError(reply.status, sentence(reply), reply.retryAfter);

function refused(reply: Reply): FellOpen {
  const { status, retryAfter } = reply;
  if (status !== 429 && status < 500) {
    return { reason: "unreadable", detail: `answered ${status}: is the base URL right?`, status };
  }
  return {
    reason: status === 429 ? "rate_limited" : "server_error",
    detail: `${status}: ${sentence(reply)}`,
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** The gateway's own sentence about what is wrong. */
function sentence(reply: Reply): string {
  let told: unknown;
  try {
    told = readObject(reply.body)["error"];
  } catch {
    // Whoever answered is no Handpick; the status has to do.
  }
  return typeof told === "string" && told !== "" ? told : "the answer does not say why";
}
