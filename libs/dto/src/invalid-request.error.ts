/** The request is invalid. The client gets the message. */
export class InvalidRequestError extends Error {
  readonly code = 'INVALID_REQUEST';

  constructor(message: string) {
    super(message);
    this.name = 'InvalidRequestError';
  }
}
