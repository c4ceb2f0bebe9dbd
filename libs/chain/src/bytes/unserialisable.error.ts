/**
 * A transaction cannot be serialised, or its bytes cannot be read. The message is the rest of a sentence that begins
 * with the transaction's id.
 */
export class UnserialisableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnserialisableError';
  }
}
