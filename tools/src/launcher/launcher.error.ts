/** An error that the operator can fix; the message is one sentence that says how. */
export class LauncherError extends Error {
  readonly code = 'LAUNCHER';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherError';
  }
}
