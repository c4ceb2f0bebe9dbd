import type { InvalidBlockError, LedgerBlock } from '@roundhouse/chain';

/** The ledger refuses this block; those below it are right. */
export class RefusedBlockError extends Error {
  constructor(
    readonly block: LedgerBlock,
    cause: InvalidBlockError,
  ) {
    super(cause.message, { cause });
    this.name = 'RefusedBlockError';
  }
}
