import type { Block } from '../blocks/block.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TrackedAccount } from '../ledger/tracked.js';
import type { Exceptions } from '../network/exceptions.js';
import type { ChainConstants } from '../network/milestones.js';
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
