import type { BlockRef } from '@roundhouse/chain';

/** The tables are no longer at the requested head: read the head again and repeat the query. */
export class HeadPassedError extends Error {
  readonly code = 'HEAD_PASSED';

  constructor(at: BlockRef) {
    super(`The tables are no longer at the head ${at.height} (${at.id}); ask again at the new one.`);
    this.name = 'HeadPassedError';
  }
}
