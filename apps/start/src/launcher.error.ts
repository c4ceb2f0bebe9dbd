/** An error that the operator can fix; the message is one sentence that says how. */
export class LauncherError extends Error {
  readonly code = 'LAUNCHER';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherError';
  }
}

/** The error after a program has ended by itself. The launcher restarts none: it stops the others. */
export const everythingStops = (because: string, cause?: unknown): LauncherError =>
  new LauncherError(`Everything stops, because ${because}`, { cause });
