import {
  InvalidBlockError,
  isExcepted,
  NO_BLOCK_ID,
  type Block,
  type BlockHeader,
  type BlockRef,
  type ChainConstants,
  type Exceptions,
} from '@roundhouse/chain';
import { checkTransactionIds, type TransactionRules } from '../transactions/transaction-id.js';
import { idOfContents, payloadHashOf } from './block-id.js';

/** What a block is checked against: the values of its network, and the constants in force at its height. */
export interface BlockRules extends TransactionRules {
  readonly nethash: string;
  readonly constants: ChainConstants;
}

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

/** The block with other ids for its transactions in the fix table. */
const withFixedIds = (block: Block, { transactionIdFixTable: table }: Exceptions): Block => {
  if (!table || !block.transactions.some(({ id }) => Object.hasOwn(table, id))) return block;
  const transactions = block.transactions.map((transaction) => ({
    ...transaction,
    id: table[transaction.id] ?? transaction.id,
  }));
  return { ...block, transactions };
};

/**
 * The block with its transactions in the order that the exceptions list for it. Null if they list none for this block,
 * or if its transactions are not exactly the listed ones.
 */
const inListedOrder = (block: Block, { wrongTransactionOrder }: Exceptions): Block | null => {
  const ids = wrongTransactionOrder?.[block.id];
  if (!ids) return null;
  const byId = new Map(block.transactions.map((transaction) => [transaction.id, transaction]));
  if (ids.length !== block.transactions.length || !ids.every((id) => byId.has(id))) return null;
  return { ...block, transactions: ids.map((id) => byId.get(id)!) };
};

/** Only some sources show the network. A node stores its own for transactions that do not say. */
const withNetworks = (block: Block, network: number): Block => {
  if (block.transactions.every((transaction) => transaction.network !== null)) return block;
  const transactions = block.transactions.map((transaction) => ({
    ...transaction,
    network: transaction.network ?? network,
  }));
  return { ...block, transactions };
};

const totalsProblem = ({ transactions, totalAmount, totalFee }: Block): string | null => {
  let amounts = 0n;
  let fees = 0n;
  for (const { amount, fee } of transactions) {
    amounts += amount;
    fees += fee;
  }
  if (amounts !== totalAmount) return `its totalAmount is ${totalAmount}, but ${amounts} is right`;
  return fees === totalFee ? null : `its totalFee is ${totalFee}, but ${fees} is right`;
};

/** What is wrong with the contents of a block, or null. */
const problemOf = (
  block: Block,
  { exceptions, constants }: BlockRules,
  isReordered: boolean,
): string | null => {
  const { height, id, payloadHash, numberOfTransactions, transactions, reward } = block;
  const computed = idOfContents(block, constants.idFullSha256);
  // If the outlook table lists the block, only the id from the table is valid (Core 3.12, the deserialiser).
  const expectedId = exceptions.outlookTable?.[computed] ?? computed;
  if (expectedId !== id) return `its id is ${id}, but its contents give ${expectedId}`;
  if (transactions.length !== numberOfTransactions)
    return `it states ${numberOfTransactions} transactions, but ${transactions.length} came with it`;
  if (height > 1 && !isReordered) {
    const right = payloadHashOf(block);
    if (payloadHash !== right) return `its payloadHash is ${payloadHash}, but its transactions give ${right}`;
  }
  const totals = totalsProblem(block);
  if (totals !== null) return totals;
  // Tools make genesis blocks without a reward, whatever the first milestone says, and no node looks.
  return height === 1 || reward === constants.reward
    ? null
    : `its reward is ${reward}, but ${constants.reward} is right`;
};

/** The genesis block has the nethash in place of its payload hash. */
const assertGenesis = ({ payloadHash }: Block, nethash: string): void => {
  if (payloadHash === nethash) return;
  throw new InvalidBlockError(
    1,
    `the genesis block's payloadHash is ${payloadHash}, but the network's nethash is ${nethash}`,
  );
};

/**
 * Checks a block's id, payload hash and totals, and the ids of its transactions, against its contents
 * (protocol.md, "Blocks", "Transaction ids"). Consults the network's exceptions. Returns the block as a node stores it:
 * with the ids and the order that an exception gives to its transactions, and with their network. Throws
 * `InvalidBlockError`.
 */
export const checkBlock = (received: Block, rules: BlockRules): Block => {
  const { exceptions } = rules;
  const block = withFixedIds(received, exceptions);
  const ordered = inListedOrder(block, exceptions);
  if (block.height === 1) assertGenesis(block, rules.nethash);
  const problem = problemOf(block, rules, ordered !== null);
  if (problem !== null && !isExcepted(block, exceptions)) throw new InvalidBlockError(block.height, problem);
  checkTransactionIds(block, rules);
  return withNetworks(ordered ?? block, rules.pubKeyHash);
};
