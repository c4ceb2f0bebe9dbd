/** A transaction that cannot go into the next block; `code` is of the kind that Core answers. */
export class RejectedTransactionError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RejectedTransactionError';
  }
}
