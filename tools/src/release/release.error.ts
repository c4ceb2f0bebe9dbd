/** A release that was refused or given up. The tree is as it was; the message says what to do. */
export class ReleaseError extends Error {
  readonly code = 'RELEASE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReleaseError';
  }
}
