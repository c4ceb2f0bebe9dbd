import type { BlockHeader, LedgerBlock } from '../blocks/block.js';
import { slotOf } from '../rounds/rounds.js';
import { InvalidBlockError, LedgerInvariantError } from '../errors/chain-error.js';
import type { Ledger } from './ledger.js';

/**
 * The delegate whose slot contains the timestamp of the next block (protocol.md, "Rounds"). Null if no forgers are
 * fixed yet, as for the genesis block. Call this before the block is applied.
 */
const expectedForger = (
  ledger: Ledger,
  { height, timestamp }: Pick<BlockHeader, 'height' | 'timestamp'>,
): string | null => {
  const order = ledger.round?.forgingOrder ?? [];
  if (order.length === 0) return null;
  const slot = slotOf(ledger.milestones, timestamp, height, (at) => {
    const known = ledger.timestamps.get(at);
    if (known === undefined) throw new LedgerInvariantError(`The timestamp of block ${at} was not loaded.`);
    return known;
  });
  return order[slot % order.length]!;
};

/**
 * Throws `InvalidBlockError` if the next block was not forged by the delegate that has its slot, unless the network's
 * exceptions list the block. Call this before the block is applied.
 */
export const assertForger = (ledger: Ledger, block: LedgerBlock): void => {
  const expected = expectedForger(ledger, block);
  const { id, height, timestamp, generatorPublicKey } = block;
  if (expected === null || expected === generatorPublicKey) return;
  if (ledger.network.exceptions.blocks?.includes(id)) return;
  throw new InvalidBlockError(
    height,
    `its generator is ${generatorPublicKey}, but the slot of its timestamp ${timestamp} belongs to ${expected}`,
  );
};
