import { slotTime } from '../rounds/rounds.js';
import type { BlockCheck } from './block-check.js';

/** From here on the clock of this machine is probably wrong; it must not stop the index. */
const DOUBTFUL_AHEAD_S = 600;
/** A wrong clock is off by a day at most. In this time, a delegate alone can forge some 200 blocks ahead. */
const MOST_AHEAD_S = 26 * 3_600;

const ID_BYTES = 32;

const checkTime = (check: BlockCheck): void => {
  const { ledger, block, rules, constants } = check;
  const { head, milestones } = ledger;
  const slot = ledger.slotOf(block);
  if (head && slot <= ledger.slotOf({ height: block.height, timestamp: head.timestamp }))
    check.broken(
      'slot-order',
      `its timestamp ${block.timestamp} is not in a slot after that of the block before it, ${head.timestamp}`,
    );
  const start = slotTime(milestones, slot, block.height, (height) => ledger.timestamps.get(height)!);
  if (block.timestamp !== start)
    check.broken('slot-start', `its timestamp is ${block.timestamp}, but its slot begins at ${start}`);
  if (rules.now === null) return;
  const now = Math.floor((rules.now() - Date.parse(constants.epoch)) / 1_000);
  if (block.timestamp <= now + DOUBTFUL_AHEAD_S) return;
  const problem = `its timestamp is ${block.timestamp}, but it is only ${now} s since the chain's epoch, by the clock of this machine`;
  check.broken('future-block', problem, undefined, block.timestamp <= now + MOST_AHEAD_S);
};

/** A nonce occurs once for each sender, so only transactions without one can come again. The tables refuse ids of earlier blocks. */
const checkOnce = (check: BlockCheck): void => {
  let ids: Set<string> | null = null;
  for (const transaction of check.block.transactions) {
    if (transaction.nonce !== null) continue;
    ids ??= new Set();
    if (ids.has(transaction.id)) check.broken('transaction-twice', 'is in the block twice', transaction);
    ids.add(transaction.id);
  }
};

const checkContents = (check: BlockCheck): void => {
  const { block, constants } = check;
  const { version, transactions, payloadLength } = block;
  if (constants.blockVersion !== null && version !== constants.blockVersion)
    check.broken('block-version', `its version is ${version}, but ${constants.blockVersion} is right`);
  const { length } = transactions;
  if (constants.maxTransactions !== null && length > constants.maxTransactions)
    check.broken(
      'transaction-count',
      `it has ${length} transactions, but at most ${constants.maxTransactions} are allowed`,
    );
  if (payloadLength !== ID_BYTES * length)
    check.broken(
      'payload-length',
      `its payloadLength is ${payloadLength}, but ${ID_BYTES * length} is right`,
    );
  checkOnce(check);
};

/** The rules about a block's header and the number of its transactions. */
export const checkHeader = (check: BlockCheck): void => {
  checkTime(check);
  checkContents(check);
};
