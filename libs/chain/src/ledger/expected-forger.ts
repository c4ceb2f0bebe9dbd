import type { Block } from '../blocks/block.js';
import { InvalidBlockError, UnknownClaimsError } from '../errors/chain-error.js';
import { forgerAt } from '../rounds/rounds.js';
import type { Ledger } from './ledger.js';
import type { ForgerList, RoundBlock } from './state.js';

/** Which blocks are accepted if no list of forgers has their generator in its slot. */
export type ForgerRule =
  /** None. */
  | 'slot'
  /** Those of a member of one of the lists, few in each round. */
  | 'active';

/** How many blocks of a round the rule `active` accepts. */
const MOST_MISPLACED = 3;

const isExcepted = ({ network }: Ledger, { id }: RoundBlock): boolean =>
  network.exceptions.blocks?.includes(id) === true;

const hasForger = (ledger: Ledger, list: ForgerList, block: RoundBlock): boolean =>
  forgerAt(list, ledger.slotOf(block)) === block.generatorPublicKey;

/** Whether the list has the forgers of all blocks of the round. */
const explains = (ledger: Ledger, list: ForgerList, block: RoundBlock): boolean =>
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
  ledger: Ledger,
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
export const admitForger = (ledger: Ledger, block: Block, rule: ForgerRule = 'slot'): void => {
  const { round, candidates } = ledger;
  if (round === null || round.forgingOrder.length === 0) return;
  const expected = forgerAt(round, ledger.slotOf(block));
  const { height, generatorPublicKey } = block;
  if (expected === generatorPublicKey || isExcepted(ledger, block)) return;
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
