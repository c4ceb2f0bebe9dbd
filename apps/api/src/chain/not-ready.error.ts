/** The index cannot answer this yet; asked again a little later, it can. */
export class NotReadyError extends Error {
  readonly code = 'NOT_READY';

  constructor(message: string) {
    super(message);
    this.name = 'NotReadyError';
  }
}
