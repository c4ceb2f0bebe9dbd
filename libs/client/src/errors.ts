/** The base of all errors of the client, except an abort by the caller's own signal. */
export abstract class RoundhouseError extends Error {
  /** Stays the same between versions. */
  abstract readonly code: string;
}

/** The API refused the request. `message` is its own sentence. */
export class ApiError extends RoundhouseError {
  readonly code: string = 'API';

  constructor(
    message: string,
    readonly status: number,
    /** Identifies the request in the API's log. */
    readonly requestId: string | null,
    /** How long the API asks the client to wait, in ms; null if it does not say. */
    readonly retryAfterMs: number | null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Too many requests from this address, even after all retries. */
export class RateLimitError extends ApiError {
  override readonly code = 'RATE_LIMIT';
  override name = 'RateLimitError';
}

/** No answer: the connection was refused or broke, or the host name is unknown. `cause` has the reason. */
export class NetworkError extends RoundhouseError {
  readonly code = 'NETWORK';

  constructor(url: string, cause: unknown) {
    const { message, cause: inner } = Object(cause) as { message?: string; cause?: { message?: string } };
    const reason = inner?.message ?? message ?? String(cause);
    // OpenSSL's message is a line from its log.
    const tls = /:SSL routines:[^:]*:([^:]+):/.exec(reason)?.[1];
    super(
      `${url} cannot be reached (${tls === undefined ? reason : `TLS fails: ${tls}; write http:// if it has none`}).`,
      { cause },
    );
    this.name = 'NetworkError';
  }
}

/** No complete answer within `timeoutMs`. */
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

/** An answer with status 200 that does not come from a Roundhouse API. */
export class UnexpectedAnswerError extends RoundhouseError {
  readonly code = 'UNEXPECTED_ANSWER';

  constructor(url: string, problem: string, cause?: unknown) {
    super(`${url} answered with ${problem}: is it a Roundhouse API?`, { cause });
    this.name = 'UnexpectedAnswerError';
  }
}

/**
 * The chain has forked below a block that was already returned. The block at `height` is gone, and possibly others
 * below it.
 */
export class ForkError extends RoundhouseError {
  readonly code = 'FORK';

  constructor(
    /** The last block that was returned; it is no longer part of the chain. */
    readonly height: number,
    readonly id: string,
  ) {
    super(`The chain has forked: block ${height} (${id}) is no longer part of it.`);
    this.name = 'ForkError';
  }
}
