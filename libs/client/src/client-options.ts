export interface ClientOptions {
  /** How long one try may take, in ms. (Default: 10000) */
  readonly timeoutMs?: number;
  /** Tries after the first that failed with 429, 503, a broken connection or a timeout. (Default: 3) */
  readonly retries?: number;
  /** The pause before the first of these, in ms; it doubles each time, and varies so that clients do not come all at once. (Default: 250) */
  readonly backoffMs?: number;
  /** A `Retry-After` longer than this, in ms, is not waited for: the error comes at once. (Default: 30000) */
  readonly longestWaitMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}
