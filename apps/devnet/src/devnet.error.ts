/** An error that the operator can fix; the message says how. */
export class DevnetError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DevnetError';
  }
}
