/** Why a source could not be used: the label of the metric that counts such failures. */
export type UnavailableKind =
  | 'refused'
  | 'timeout'
  | 'unreachable'
  | 'rate-limited'
  | 'http-5xx'
  /** The node replaced blocks between two of our requests. */
  | 'moved';

interface UnavailableOptions extends ErrorOptions {
  /** How long the node itself asked us to wait. */
  readonly retryAfterMs?: number;
}

/** The source does not answer at present: try again later, or use another one. */
export class NodeUnavailableError extends Error {
  readonly code = 'NODE_UNAVAILABLE';
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly source: string,
    readonly kind: UnavailableKind,
    message: string,
    options: UnavailableOptions = {},
  ) {
    super(message, options);
    this.name = 'NodeUnavailableError';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The source's answer cannot be right: wrong shape, a gap, a broken link, a wrong id or hash, another chain. Asking
 * again does not help. The message names the source, the height if there is one, and what to do.
 */
export class NodeProtocolError extends Error {
  readonly code = 'NODE_PROTOCOL';
  /** The height of the wrong block, if the error is about one. */
  readonly height: number | undefined;

  constructor(
    readonly source: string,
    message: string,
    options: ErrorOptions & { readonly height?: number } = {},
  ) {
    super(message, options);
    this.name = 'NodeProtocolError';
    this.height = options.height;
  }
}

/** The answer is longer than anything that was asked for can be. */
export class AnswerTooLongError extends NodeProtocolError {}
