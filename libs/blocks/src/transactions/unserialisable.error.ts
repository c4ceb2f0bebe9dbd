/** A transaction has no bytes: a field is missing or malformed. The message is the rest of a sentence about it. */
export class UnserialisableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnserialisableError';
  }
}
