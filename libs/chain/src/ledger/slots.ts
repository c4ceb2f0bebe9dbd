import type { Block } from '../blocks/block.js';
import { InvalidBlockError, UnknownClaimsError } from '../errors/chain-error.js';
import { forgerAt, roundOf } from '../rounds/rounds.js';
import type { Forgers } from './forgers.js';
import type { ForgingState } from './forging-state.js';
import type { ForgerList, ForgingRound, RoundBlock } from './state.js';

/** Which blocks are accepted if no list of forgers has their generator in its slot. */
export type ForgerRule =
  /** None. */
  | 'slot'
  /** Those of a member of one of the lists, few in each round. */
  | 'active';

/** How many blocks of a round the rule `active` accepts. */
const MOST_MISPLACED = 3;

const isExcepted = ({ network }: ForgingState, { id }: RoundBlock): boolean =>
  network.exceptions.blocks?.includes(id) === true;

const hasForger = (ledger: ForgingState, list: ForgerList, block: RoundBlock): boolean =>
  forgerAt(list, ledger.slotOf(block)) === block.generatorPublicKey;

/** Whether the list has the forgers of all blocks of the round. */
const explains = (ledger: ForgingState, list: ForgerList, block: RoundBlock): boolean =>
  hasForger(ledger, list, block) &&
  ledger.forged.every(
    (each) =>
      each.height === 1 ||
      ledger.misplaced.has(each.height) ||
      hasForger(ledger, list, each) ||
      isExcepted(ledger, each),
  );

/** Says what was tried. */
const refusalOf = (
  ledger: ForgingState,
  { generatorPublicKey, timestamp }: RoundBlock,
  expected: string,
): string => {
  const { candidates, round } = ledger;
  const wrong = `its generator is ${generatorPublicKey}, but the slot of its timestamp ${timestamp} belongs to ${expected}`;
  if (candidates.length === 0) return `${wrong}; round ${round!.round} has no other possible list of forgers`;
  const forgotten = [...new Set(candidates.map(({ forgottenClaims }) => forgottenClaims))].join(', ');
  return (
    `${wrong}; none of the ${candidates.length} other possible lists of forgers of round ${round!.round} fits either ` +
    `(claims that restarted nodes may have forgotten: ${forgotten} of ${ledger.claims.count})`
  );
};

/**
 * Makes sure that the next block was forged by the delegate that has its slot, unless the network's exceptions list the
 * block. If another list of forgers that the round may have explains this block and those of the round below it, the
 * round is forged by that list from now on. Throws `InvalidBlockError`, or `UnknownClaimsError` if nothing can be
 * concluded. Call this before the block is applied.
 */
export const admitForger = (ledger: Forgers, block: Block, rule: ForgerRule = 'slot'): void => {
  const { round, candidates } = ledger;
  if (round === null || ledger.hasForger(block) || isExcepted(ledger, block)) return;
  const expected = forgerAt(round, ledger.slotOf(block));
  const { height, generatorPublicKey } = block;
  const list = candidates.find((candidate) => explains(ledger, candidate, block));
  if (list !== undefined) {
    ledger.reviseRound(list, height);
    return;
  }
  if (!ledger.knowsClaims) throw new UnknownClaimsError(`who forges block ${height}`);
  const isMember = [round, ...candidates].some(({ forgingOrder }) =>
    forgingOrder.includes(generatorPublicKey),
  );
  const isAcceptable = isMember && ledger.misplaced.size < MOST_MISPLACED;
  if (rule === 'active' && isAcceptable) {
    ledger.misplace(height);
    return;
  }
  const advice = isAcceptable ? '; its generator is in one of these lists: FORGERS=active accepts it' : '';
  throw new InvalidBlockError(height, `${refusalOf(ledger, block, expected)}${advice}`);
};

/** Whose slots a block shows to be missed; delegates by public key. */
export interface SlotsOfBlock {
  /** Of the block's round. */
  readonly firstHeight: number;
  /** The forger of each slot between the block below and this one, at most as many as a round has. */
  readonly missing: readonly string[];
  /** The forgers that have no block in the round that this block ends; null if it ends none. */
  readonly missedRound: readonly string[] | null;
}

/** The forgers of a round that forged none of its blocks. */
export const absentIn = (round: ForgingRound | null, blocks: readonly RoundBlock[]): string[] => {
  const forgers = new Set(blocks.map(({ generatorPublicKey }) => generatorPublicKey));
  return (round?.forgingOrder ?? []).filter((publicKey) => !forgers.has(publicKey));
};

/** Where a ledger was before a block. It adds to `forged`, or begins another list. */
export type RoundSoFar = Pick<ForgingState, 'head' | 'round' | 'forged'>;

const missingBelow = (ledger: ForgingState, { head, round }: RoundSoFar, block: Block): string[] => {
  if (head === null || head.height === 1 || round === null) return [];
  const first = ledger.slotOf(head) + 1;
  const count = Math.min(ledger.slotOf(block) - first, round.forgingOrder.length);
  return Array.from({ length: Math.max(0, count) }, (_, place) => forgerAt(round, first + place));
};

/**
 * Core 3.9, `detectMissedBlocks` and `detectMissedRound` of `RoundState`. `before`: what the ledger had when the block's
 * forger was admitted, before it was applied. The ledger may have gone on since.
 */
export const slotsOfBlock = (ledger: ForgingState, before: RoundSoFar, block: Block): SlotsOfBlock => {
  const { firstHeight, lastHeight } = roundOf(ledger.milestones, block.height);
  const missing = missingBelow(ledger, before, block);
  if (block.height < lastHeight) return { firstHeight, missing, missedRound: null };
  const below = before.forged.filter(({ height }) => height < block.height);
  return { firstHeight, missing, missedRound: absentIn(before.round, [...below, block]) };
};
