/** A fork has replaced the block at which the page before ended. */
export class CursorPassedError extends Error {
  readonly code = 'CURSOR_PASSED';

  constructor() {
    super(
      'The block at which the page before ended is not part of the chain; begin again with the first page.',
    );
    this.name = 'CursorPassedError';
  }
}
