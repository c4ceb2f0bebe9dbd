/** The client asked for something that cannot be asked; the message is part of the answer. */
export class InvalidRequestError extends Error {
  readonly code = 'INVALID_REQUEST';

  constructor(message: string) {
    super(message);
    this.name = 'InvalidRequestError';
  }
}
