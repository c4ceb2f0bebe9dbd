/** A login role cannot be made or is not fit; the message says what the operator has to do. */
export class RoleError extends Error {
  readonly code = 'ROLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RoleError';
  }
}
