/** A transaction that cannot go into the next block. `code` is one of Core's. */
export class RejectedTransactionError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RejectedTransactionError';
  }
}
