/** `BLOCK_SOURCE` or `NETWORK` cannot be used as set. The message tells the operator what to write. */
export class SourceConfigError extends Error {
  readonly code = 'SOURCE_CONFIG';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceConfigError';
  }
}
