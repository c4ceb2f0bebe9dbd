import { addressBytes } from '../accounts/address.js';
import { membersOf, multiSignatureKeyOf } from '../accounts/multi-signature.js';
import type { Block } from '../blocks/block.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TrackedAccount } from '../ledger/tracked.js';
import type { Exceptions } from '../network/exceptions.js';
import type { ChainConstants } from '../network/chain-constants.js';
import { slotTime } from '../rounds/rounds.js';
import { MAGISTRATE_TYPE_GROUP, type Transaction } from '../transactions/transaction.js';
import type { TypeCheck } from '../types/definition.js';
import { movesAmount, typeOf } from '../types/of-type.js';
import { nameOfRule, type BrokenRule, type RuleName, type Rules } from './rules.js';

/** Is told of each broken rule, in place of an error. */
export type OnBroken = (broken: BrokenRule) => void;

/** Holds the rules against one block, before the ledger applies what it checks. */
export class BlockCheck implements TypeCheck {
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

  /** The sender must be able to pay for the transaction; `cost` leaves its balance. */
  balance(transaction: Transaction, sender: TrackedAccount, cost: bigint): void {
    const left = sender.balance - cost;
    if (left >= 0n || this.isListed(sender, left)) return;
    // Core 2.0 to 2.2 looked at no balance of an account with members.
    const isDoubtful = transaction.version === 1 && sender.multiSignature !== null;
    const problem = `costs ${cost}, but its sender ${sender.address} has only ${sender.balance}`;
    this.broken('balance', problem, transaction, isDoubtful);
  }

  /** Whether the network's exceptions list this negative balance for the sender's next transaction. */
  private isListed({ publicKey, nonce }: TrackedAccount, balance: bigint): boolean {
    const listed = this.ledger.network.exceptions.negativeBalances?.[publicKey!]?.[`${nonce + 1}`];
    return listed !== undefined && BigInt(listed) === balance;
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
const REFUSED_AHEAD_S = 26 * 3_600;

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
  check.broken('future-block', problem, undefined, block.timestamp <= now + REFUSED_AHEAD_S);
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

const checkVersion = (check: BlockCheck, transaction: Transaction): void => {
  const { aip11, hasNonces } = check.constants;
  // In the first block of AIP 11, nodes still want version 1.
  const { version } = transaction;
  if (version === 1 && aip11 && hasNonces && check.constantsBelow.aip11)
    check.broken('transaction-version', 'has version 1, but AIP 11 is in force', transaction);
  if (version > 1 && !aip11)
    check.broken('transaction-version', `has version ${version}, but AIP 11 is not in force`, transaction);
};

const checkFee = (check: BlockCheck, transaction: Transaction): void => {
  const { fee, typeGroup, type } = transaction;
  const definition = typeOf(transaction);
  if (definition === undefined) {
    const { mostUnknownFee } = check.rules;
    if (fee > mostUnknownFee)
      check.broken(
        'unknown-fee',
        `is of unknown type ${typeGroup}/${type} and costs ${fee}; MAX_UNKNOWN_FEE is ${mostUnknownFee}`,
        transaction,
      );
  } else if (definition.isFree ? fee !== 0n : fee === 0n)
    check.broken(
      'fee',
      definition.isFree ? `costs ${fee}, but its type is free` : 'costs no fee',
      transaction,
      // Core 2.6 to 3.9 ask no fee of businesses and bridgechains.
      typeGroup === MAGISTRATE_TYPE_GROUP,
    );
};

/** How old a transaction of version 1 may be in its block, and how far ahead of it, in seconds (Core 2.5 to 3.9, `Block.verify`). */
const MOST_AGE_S = 21_600;
const MOST_AHEAD_S = 3_600;

const checkTimestamp = (check: BlockCheck, transaction: Transaction): void => {
  const { block, constants } = check;
  const { version, timestamp } = transaction;
  if (version !== 1 || timestamp === null || !constants.checksTimestamps) return;
  const age = block.timestamp - timestamp;
  if (age <= MOST_AGE_S && age >= -MOST_AHEAD_S - constants.blocktime) return;
  check.broken(
    'transaction-time',
    `has the timestamp ${timestamp}, but that of its block is ${block.timestamp}`,
    transaction,
  );
};

const checkExpiration = (check: BlockCheck, transaction: Transaction): void => {
  const { expiration } = transaction;
  if (expiration === 0 || expiration > check.height || typeOf(transaction) === undefined) return;
  const { ledger, constants } = check;
  if (ledger.network.name === 'devnet' && constants.ignoresExpirations) return;
  check.broken('expiration', `has expired at height ${expiration}`, transaction);
};

/** The first mention of an address decides: Core accepts an address of any network in a block. */
const checkRecipient = (check: BlockCheck, transaction: Transaction): void => {
  const { ledger } = check;
  const { recipientId } = transaction;
  if (recipientId === null || ledger.accounts.get(recipientId)?.exists) return;
  const network = addressBytes(recipientId)?.[0];
  if (network !== undefined && network !== ledger.network.pubKeyHash)
    check.broken(
      'recipient-network',
      `sends to ${recipientId}, an address of network ${network}`,
      transaction,
    );
};

/** Nodes take nothing more of them. Core 2.4 and 2.5, which have no nonces, fail in another way (Core 2.6 to 3.9, `performGenericWalletChecks`). */
const checkMembers = (check: BlockCheck, transaction: Transaction, sender: TrackedAccount): void => {
  const { version, nonce } = transaction;
  if (version === 1 || sender.multiSignature === null) return;
  if (multiSignatureKeyOf(membersOf(sender.multiSignature)) === sender.publicKey) return;
  check.broken(
    'members',
    'is sent by an account to which version 1 gave members',
    transaction,
    nonce === null,
  );
};

/** The rules for transactions of any type, then those of its own. The sender has not paid yet. */
export const checkTransaction = (
  check: BlockCheck,
  transaction: Transaction,
  sender: TrackedAccount,
): void => {
  const { nonce, amount, fee } = transaction;
  checkVersion(check, transaction);
  checkFee(check, transaction);
  checkExpiration(check, transaction);
  checkTimestamp(check, transaction);
  checkRecipient(check, transaction);
  checkMembers(check, transaction, sender);
  if (nonce !== null && nonce !== BigInt(sender.nonce + 1))
    check.broken('nonce', `has nonce ${nonce}, but ${sender.nonce + 1} is next`, transaction);
  const moved = movesAmount(transaction, check.ledger.network) ? amount : 0n;
  check.balance(transaction, sender, moved + fee);
  const definition = typeOf(transaction);
  if (definition === undefined) return;
  if (!definition.hasAmount && amount !== 0n)
    check.broken('amount', `has an amount of ${amount}, but its type moves none`, transaction);
  // In version 1, Core 2.0 to 2.2 accept a transfer of nothing.
  if (definition.hasAmount && amount === 0n)
    check.broken('amount', 'moves an amount of 0', transaction, transaction.version === 1);
  definition.check?.(transaction, sender, check);
};
