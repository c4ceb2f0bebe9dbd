import type { BlockRef } from '@roundhouse/chain';

/** Another writer moved the head while a batch was being made. Nothing of the batch was stored; load the ledger again. */
export class HeadMovedError extends Error {
  readonly code = 'HEAD_MOVED';

  constructor(from: BlockRef | null) {
    super(
      `The head is no longer ${from ? `${from.height} (${from.id})` : 'absent'}: another writer has moved it.`,
    );
    this.name = 'HeadMovedError';
  }
}
