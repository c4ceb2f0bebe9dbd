/** What all errors of the client have in common. An abort by the caller's own signal is not among them. */
export abstract class RoundhouseError extends Error {
  /** Stays the same between versions. */
  abstract readonly code: string;
}

/** The API answered, but not with what was asked for; `message` is its own sentence. */
export class ApiError extends RoundhouseError {
  readonly code: string = 'API';

  constructor(
    message: string,
    readonly status: number,
    /** Names the request in the API's log. */
    readonly requestId: string | null,
    /** How long the API wants to be left alone, in ms; null where it does not say. */
    readonly retryAfterMs: number | null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Too many requests from this address, also after all tries. */
export class RateLimitError extends ApiError {
  override readonly code = 'RATE_LIMIT';
  override name = 'RateLimitError';
}

/** No answer: the connection was refused, broke, or the name is unknown. `cause` has the reason. */
export class NetworkError extends RoundhouseError {
  readonly code = 'NETWORK';

  constructor(url: string, cause: unknown) {
    const reason =
      cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
    super(`${url} cannot be reached (${reason}).`, { cause });
    this.name = 'NetworkError';
  }
}

/** No whole answer in time. */
export class TimeoutError extends RoundhouseError {
  readonly code = 'TIMEOUT';

  constructor(
    url: string,
    readonly timeoutMs: number,
  ) {
    super(`${url} did not answer within ${timeoutMs} ms.`);
    this.name = 'TimeoutError';
  }
}

/** An answer of status 200 that is none of this API. */
export class UnexpectedAnswerError extends RoundhouseError {
  readonly code = 'UNEXPECTED_ANSWER';

  constructor(url: string, problem: string, cause?: unknown) {
    super(`${url} answered with ${problem}: is it a Roundhouse API?`, { cause });
    this.name = 'UnexpectedAnswerError';
  }
}

/** The chain has forked below what was read already: begin again above `height`. */
export class ForkError extends RoundhouseError {
  readonly code = 'FORK';

  constructor(
    /** The last block that was given, which the chain has no longer. */
    readonly height: number,
    readonly id: string,
  ) {
    super(`The chain has forked: block ${height} (${id}) is no longer part of it.`);
    this.name = 'ForkError';
  }
}
