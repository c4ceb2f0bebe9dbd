/** The index cannot answer yet; the same request should succeed a little later. */
export class NotReadyError extends Error {
  readonly code = 'NOT_READY';

  constructor(message: string) {
    super(message);
    this.name = 'NotReadyError';
  }
}
