import { admitForger, InvalidBlockError, type Block, type Ledger } from '@roundhouse/chain';
import type { ApplyOptions } from './apply-options.js';

/** The block's forger does not have its slot. Throws `InvalidBlockError` unless the block is right for another reason. */
export const checkForger = async (
  ledger: Ledger,
  block: Block,
  acceptsMisplaced: ApplyOptions['acceptsMisplaced'],
): Promise<void> => {
  try {
    admitForger(ledger, block);
  } catch (error) {
    if (!(error instanceof InvalidBlockError) || !(await acceptsMisplaced?.(block))) throw error;
    admitForger(ledger, block, 'active');
  }
};
