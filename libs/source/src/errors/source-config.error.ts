/** `BLOCK_SOURCE` or `NETWORK` cannot be used as they stand; the message tells the operator what to write. */
export class SourceConfigError extends Error {
  readonly code = 'SOURCE_CONFIG';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceConfigError';
  }
}
