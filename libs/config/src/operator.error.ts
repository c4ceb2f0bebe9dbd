/** An error that the operator can fix. The message is one sentence that says what to do; the exit code is 1. */
export class OperatorError extends Error {
  readonly code = 'OPERATOR';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}
