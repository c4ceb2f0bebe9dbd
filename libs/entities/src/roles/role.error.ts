/** A login role cannot be created or is unsuitable; the message says what the operator has to do. */
export class RoleError extends Error {
  readonly code = 'ROLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RoleError';
  }
}
