import {
  InvalidBlockError,
  NO_BLOCK_ID,
  type Block,
  type BlockHeader,
  type BlockRef,
  type ChainConstants,
  type Exceptions,
  type Transaction,
} from '@roundhouse/chain';
import { fillText, textOfBlock } from '../line/text-of-block.js';
import { blockOfText, bigintOf, NONE, type BlockText } from '../text/block-text.js';
import { checkTransactionIds, type TransactionRules } from '../transactions/transaction-id.js';
import { idOfContents, payloadHashOf } from './block-id.js';

/** What a block is checked against: the values of its network, and the constants in force at its height. */
export interface BlockRules extends TransactionRules {
  readonly nethash: string;
  readonly constants: ChainConstants;
}

const isListed = (
  id: string,
  transactionIds: () => string[],
  { blocks, blocksTransactions }: Exceptions,
): boolean => {
  if (!blocks?.includes(id)) return false;
  if (id.length === 64 || blocksTransactions === undefined) return true;
  const listed = blocksTransactions[id];
  if (listed === undefined) return false;
  const expected = [...listed].sort();
  const actual = transactionIds().sort();
  return expected.length === actual.length && expected.every((each, index) => each === actual[index]);
};

/**
 * Whether the network accepts this block although it fails a check. A block with a short id is
 * excepted only with exactly its listed transactions (Core 3.12, `isException`). If the configuration has no such lists
 * (Core 2.x), the id is enough.
 */
export const isExcepted = ({ id, transactions }: Block, exceptions: Exceptions): boolean =>
  isListed(id, () => transactions.map((transaction) => transaction.id), exceptions);

/** The same of a block that is read as text. */
export const isExceptedText = (text: BlockText, exceptions: Exceptions): boolean => {
  const transactionIds = (): string[] =>
    Array.from({ length: text.transactionCount }, (_, index) => text.textOf(text.transaction(index).id));
  return isListed(text.textOf(text.id), transactionIds, exceptions);
};

/** Throws unless `block` links directly to `previous`. If that is null, `block` must be a genesis block. */
export const assertLinked = (
  block: Pick<BlockHeader, 'height' | 'previousBlock'>,
  previous: BlockRef | null,
): void => {
  const expectedHeight = (previous?.height ?? 0) + 1;
  if (block.height !== expectedHeight) {
    throw new InvalidBlockError(
      block.height,
      `height ${block.height} came instead of height ${expectedHeight}`,
    );
  }
  const expectedId = previous?.id ?? NO_BLOCK_ID;
  if (block.previousBlock !== expectedId) {
    throw new InvalidBlockError(
      block.height,
      `its previousBlock is ${block.previousBlock}, the block before it is ${expectedId}`,
    );
  }
};

/** Replaces the ids of transactions in the fix table; returns whether there were any. */
const fixIds = (text: BlockText, { transactionIdFixTable: table }: Exceptions): boolean => {
  if (!table) return false;
  let isListed = false;
  for (let i = 0; i < text.transactionCount && !isListed; i += 1)
    isListed = Object.hasOwn(table, text.textOf(text.transaction(i).id));
  if (!isListed) return false;
  const block = blockOfText(text);
  const transactions = block.transactions.map((transaction) => ({
    ...transaction,
    id: table[transaction.id] ?? transaction.id,
  }));
  fillText(text, { ...block, transactions });
  return true;
};

const inOrder = (
  transactions: readonly Transaction[],
  ids: readonly string[],
): readonly Transaction[] | null => {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  if (ids.length !== transactions.length || !ids.every((id) => byId.has(id))) return null;
  return ids.map((id) => byId.get(id)!);
};

/**
 * The block with its transactions in the order that the exceptions list for it. Null if they list none for this block,
 * or if its transactions are not exactly the listed ones.
 */
const reordered = (text: BlockText, id: string, { wrongTransactionOrder }: Exceptions): Block | null => {
  const ids = wrongTransactionOrder?.[id];
  if (!ids) return null;
  const block = blockOfText(text);
  const transactions = inOrder(block.transactions, ids);
  return transactions && { ...block, transactions };
};

const HALF = 2 ** 32;

/** The exact sum of all amounts or fees. The sums of the two halves stay exact for two million transactions. */
const sumOf = (block: BlockText, of: 'amount' | 'fee'): { readonly low: number; readonly high: number } => {
  let low = 0;
  let high = 0;
  for (let i = 0; i < block.transactionCount; i += 1) {
    const amount = block.transaction(i)[of];
    low += amount.low;
    high += amount.high;
  }
  return { low: low % HALF, high: high + Math.floor(low / HALF) };
};

const TOTALS = [
  ['amount', 'totalAmount'],
  ['fee', 'totalFee'],
] as const;

const totalsProblem = (block: BlockText): string | null => {
  for (const [of, total] of TOTALS) {
    const { low, high } = sumOf(block, of);
    const stated = block[total];
    if (low !== stated.low || high !== stated.high)
      return `its ${total} is ${bigintOf(stated)}, but ${(BigInt(high) << 32n) | BigInt(low)} is right`;
  }
  return null;
};

/** What is wrong with the contents of a block with this id, or null. */
const problemOf = (
  block: BlockText,
  id: string,
  { exceptions, constants }: BlockRules,
  isReordered: boolean,
): string | null => {
  const { numberOfTransactions, transactionCount } = block;
  const computed = idOfContents(block, constants.idFullSha256);
  // If the outlook table lists the block, only the id from the table is valid (Core 3.12, the deserialiser).
  const expectedId = exceptions.outlookTable?.[computed] ?? computed;
  if (expectedId !== id) return `its id is ${id}, but its contents give ${expectedId}`;
  if (transactionCount !== numberOfTransactions.value)
    return `it states ${numberOfTransactions.value} transactions, but ${transactionCount} came with it`;
  const stated = block.textOf(block.payloadHash);
  if (block.height.value > 1 && !isReordered) {
    const payloadHash = payloadHashOf(block);
    if (stated !== payloadHash)
      return `its payloadHash is ${stated}, but its transactions give ${payloadHash}`;
  }
  const totals = totalsProblem(block);
  if (totals !== null) return totals;
  // Tools make genesis blocks without a reward, whatever the first milestone says, and no node looks.
  if (block.height.value === 1) return null;
  const reward = bigintOf(block.reward);
  return reward === constants.reward ? null : `its reward is ${reward}, but ${constants.reward} is right`;
};

/** The genesis block has the nethash in place of its payload hash. */
const assertGenesis = (block: BlockText, nethash: string): void => {
  const payloadHash = block.textOf(block.payloadHash);
  if (payloadHash === nethash) return;
  throw new InvalidBlockError(
    1,
    `the genesis block's payloadHash is ${payloadHash}, but the network's nethash is ${nethash}`,
  );
};

/** Only some sources show the network. A node stores its own for transactions that do not say; returns whether there were any. */
const fillNetworks = (block: BlockText, pubKeyHash: number): boolean => {
  let isFilled = false;
  for (let i = 0; i < block.transactionCount; i += 1) {
    const { network } = block.transaction(i);
    if (network.value !== NONE) continue;
    network.value = pubKeyHash;
    isFilled = true;
  }
  return isFilled;
};

/**
 * Checks a block's id, payload hash and totals, and the ids of its transactions, against its contents
 * (protocol.md, "Blocks", "Transaction ids"). Consults the network's exceptions. If an exception changes the order or
 * the ids of the transactions, or one of them lacks its network, writes the changed block into `block` and returns true.
 * Throws `InvalidBlockError`.
 */
export const checkText = (block: BlockText, rules: BlockRules): boolean => {
  const { exceptions } = rules;
  const height = block.height.value;
  const id = block.textOf(block.id);
  const isFixed = fixIds(block, exceptions);
  const inListedOrder = reordered(block, id, exceptions);
  if (height === 1) assertGenesis(block, rules.nethash);
  const problem = problemOf(block, id, rules, inListedOrder !== null);
  if (problem !== null && !isExceptedText(block, exceptions)) throw new InvalidBlockError(height, problem);
  checkTransactionIds(block, rules);
  if (inListedOrder !== null) fillText(block, inListedOrder);
  const isFilled = fillNetworks(block, rules.pubKeyHash);
  return isFixed || inListedOrder !== null || isFilled;
};

/** Like `checkText`, but returns the block: the given one, or the changed one. */
export const checkBlock = (received: Block, rules: BlockRules): Block => {
  const text = textOfBlock(received);
  return checkText(text, rules) ? blockOfText(text) : received;
};
