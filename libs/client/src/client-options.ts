export interface ClientOptions {
  /** The time limit of one try, in ms. (Default: 10000) */
  readonly timeoutMs?: number;
  /** The number of retries after a 429, a 503, a broken connection or a timeout. (Default: 3) */
  readonly retries?: number;
  /**
   * The pause before the first retry, in ms. It doubles each time, with jitter so that clients do not retry all at
   * once. (Default: 250)
   */
  readonly backoffMs?: number;
  /** If `Retry-After` is longer than this, in ms, the error is thrown at once. (Default: 30000) */
  readonly longestWaitMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}
