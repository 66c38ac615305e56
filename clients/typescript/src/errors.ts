// What can go wrong that the caller should hear about?

/** Why there is no selection: no answer in time, no connection, 429, 5xx, or an answer that is not one. */
export type FallOpenReason = "timeout" | "unreachable" | "rate_limited" | "server_error" | "unreadable";

/** Everything this package throws on purpose. */
export class HandpickError extends Error {
  override name = "HandpickError";
}

/** The gateway refused. `message` is its own sentence, which says what would be right. */
export class ApiError extends HandpickError {
  override name = "ApiError";
  readonly status: number;
  /** Seconds to wait, where the gateway said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Nothing that can be read came back in time: whether the gateway acted is not known. */
export class UnansweredError extends HandpickError {
  override name = "UnansweredError";
  readonly reason: FallOpenReason;
  readonly status: number | undefined;

  constructor(reason: FallOpenReason, message: string, status?: number) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}
