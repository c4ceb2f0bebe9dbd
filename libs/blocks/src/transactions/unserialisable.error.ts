/** A transaction cannot be serialised, or its bytes cannot be read. The message follows its id in a sentence. */
export class UnserialisableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnserialisableError';
  }
}
