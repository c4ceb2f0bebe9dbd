import type { Block } from '../blocks/block.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TrackedAccount } from '../ledger/tracked.js';
import type { Exceptions } from '../network/exceptions.js';
import type { ChainConstants } from '../network/milestones.js';
import { slotTime } from '../rounds/rounds.js';
import type { Transaction } from '../transactions/transaction.js';
import { nameOfRule, type BrokenRule, type RuleName, type Rules } from './rules.js';

/** Is told of each broken rule, in place of an error. */
export type OnBroken = (broken: BrokenRule) => void;

/** Holds the rules against one block, before the ledger applies what it checks. */
export class BlockCheck {
  readonly constants: ChainConstants;
  /** Those of the block below: Core judges transactions by them, as it learns of a height after its block (`setLastBlock`). */
  readonly constantsBelow: ChainConstants;

  constructor(
    readonly ledger: Ledger,
    readonly block: Block,
    readonly rules: Rules,
    private readonly onBroken?: OnBroken,
  ) {
    this.constants = ledger.milestones.at(block.height);
    this.constantsBelow = ledger.milestones.at(block.height - 1);
  }

  /** Whether the key is set in this block or in the one below, because versions differ about which of them counts. */
  isInForce(key: 'htlcEnabled' | 'aip36'): boolean {
    return this.constants[key] || this.constantsBelow[key];
  }

  get height(): number {
    return this.block.height;
  }

  /**
   * Says that the block breaks a rule. Throws `InvalidBlockError`, unless the rule only warns or the network's exceptions
   * list the transaction. `isDoubtful`: some version of Core accepts it, so it is only a warning.
   */
  broken(rule: RuleName, problem: string, transaction?: Transaction, isDoubtful = false): void {
    const { ledger, height, rules } = this;
    if (transaction && ledger.network.exceptions.transactions?.includes(transaction.id)) return;
    const whole = transaction ? `transaction ${transaction.id} ${problem}` : problem;
    if (isDoubtful || rules.isLenient(rule)) {
      rules.warn({ rule, height, problem: whole });
      return;
    }
    const said = `${whole} ${nameOfRule(rule)}`;
    if (this.onBroken === undefined) throw new InvalidBlockError(height, said);
    this.onBroken({ rule, height, problem: said });
  }
}

/**
 * Whether the network accepts this block although it fails a check. A block with a short id is
 * excepted only with exactly its listed transactions (Core 3.12, `isException`). If the configuration has no such lists
 * (Core 2.x), the id is enough.
 */
export const isExcepted = (
  { id, transactions }: Pick<Block, 'id' | 'transactions'>,
  { blocks, blocksTransactions }: Exceptions,
): boolean => {
  if (!blocks?.includes(id)) return false;
  if (id.length === 64 || blocksTransactions === undefined) return true;
  const listed = blocksTransactions[id];
  if (listed === undefined) return false;
  const expected = [...listed].sort();
  const actual = transactions.map((transaction) => transaction.id).sort();
  return expected.length === actual.length && expected.every((each, index) => each === actual[index]);
};

/**
 * The check of a block; null for the genesis block, which no node checks, and for a block that the network's exceptions
 * list.
 */
export const checkOf = (
  ledger: Ledger,
  block: Block,
  rules: Rules,
  onBroken?: OnBroken,
): BlockCheck | null =>
  block.height === 1 || isExcepted(block, ledger.network.exceptions)
    ? null
    : new BlockCheck(ledger, block, rules, onBroken);

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

/** A negative balance that the network's exceptions list for this transaction of the sender. */
const isListedBalance = (
  { ledger }: BlockCheck,
  { publicKey, nonce }: TrackedAccount,
  balance: bigint,
): boolean => {
  const listed = ledger.network.exceptions.negativeBalances?.[publicKey!]?.[`${nonce + 1}`];
  return listed !== undefined && BigInt(listed) === balance;
};

/** Throws unless the sender can pay for a transaction, by the amount that leaves its balance. */
export const checkBalance = (
  check: BlockCheck,
  transaction: Transaction,
  sender: TrackedAccount,
  cost: bigint,
): void => {
  const left = sender.balance - cost;
  if (left >= 0n || isListedBalance(check, sender, left)) return;
  // Core 2.0 to 2.2 looked at no balance of an account with members.
  const isDoubtful = transaction.version === 1 && sender.multiSignature !== null;
  const problem = `costs ${cost}, but its sender ${sender.address} has only ${sender.balance}`;
  check.broken('balance', problem, transaction, isDoubtful);
};
