import type { BlockRef } from '@roundhouse/chain';

/** The tables are no longer at the head that a question was about: read the head anew and ask again. */
export class HeadPassedError extends Error {
  readonly code = 'HEAD_PASSED';

  constructor(at: BlockRef) {
    super(`The tables are no longer at the head ${at.height} (${at.id}); ask again at the new one.`);
    this.name = 'HeadPassedError';
  }
}
