import { InvalidBlockError } from '../errors/chain-error.js';
import type { Exceptions } from '../network/exceptions.js';
import type { ChainConstants } from '../network/milestones.js';
import type { Transaction } from '../transactions/transaction.js';
import { computeBlockId } from './block-id.js';
import { NO_BLOCK_ID, type Block, type BlockRef } from './block.js';
import { computePayloadHash } from './payload-hash.js';

/** What a block is checked against: its network's exceptions and the constants in force at its height. */
export interface BlockRules {
  readonly nethash: string;
  readonly exceptions: Exceptions;
  readonly constants: ChainConstants;
}

/**
 * Whether the network accepts this block although it fails a check. A block with a short id is excepted together
 * with its very transactions (Core 3.12, `isException`), unless the configuration has no list of them (Core 2.x).
 */
export const isExcepted = (block: Block, { blocks, blocksTransactions }: Exceptions): boolean => {
  if (!blocks?.includes(block.id)) return false;
  if (block.id.length === 64 || blocksTransactions === undefined) return true;
  const listed = blocksTransactions[block.id];
  if (listed === undefined) return false;
  const expected = [...listed].sort();
  const actual = block.transactions.map((transaction) => transaction.id).sort();
  return expected.length === actual.length && expected.every((id, index) => id === actual[index]);
};

const withFixedIds = (
  transactions: readonly Transaction[],
  exceptions: Exceptions,
): readonly Transaction[] => {
  const table = exceptions.transactionIdFixTable;
  if (!table || !transactions.some(({ id }) => Object.hasOwn(table, id))) return transactions;
  return transactions.map((transaction) => ({ ...transaction, id: table[transaction.id] ?? transaction.id }));
};

const inOrder = (
  transactions: readonly Transaction[],
  ids: readonly string[],
): readonly Transaction[] | null => {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  if (ids.length !== transactions.length || !ids.every((id) => byId.has(id))) return null;
  return ids.map((id) => byId.get(id)!);
};

/** Throws unless `block` stands directly on `previous`; null stands for nothing below the genesis block. */
export const assertLinked = (block: Block, previous: BlockRef | null): void => {
  const expectedHeight = (previous?.height ?? 0) + 1;
  if (block.height !== expectedHeight) {
    throw new InvalidBlockError(
      block.height,
      `height ${block.height} came where height ${expectedHeight} was due`,
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

const assertTotals = (block: Block, { constants }: BlockRules): void => {
  let amount = 0n;
  let fee = 0n;
  for (const transaction of block.transactions) {
    amount += transaction.amount;
    fee += transaction.fee;
  }
  const refuse = (what: string, stated: bigint | number, expected: bigint | number): never => {
    throw new InvalidBlockError(block.height, `its ${what} is ${stated}, but ${expected} is right`);
  };
  if (amount !== block.totalAmount) refuse('totalAmount', block.totalAmount, amount);
  if (fee !== block.totalFee) refuse('totalFee', block.totalFee, fee);
  if (block.reward !== constants.reward) refuse('reward', block.reward, constants.reward);
};

/**
 * Checks a block's id, payload hash and totals against its contents (protocol.md, "Blocks"), consulting the
 * network's exceptions. Gives the block with its transactions in the order, and under the ids, that count.
 * Throws `InvalidBlockError`.
 */
export const checkBlock = (received: Block, rules: BlockRules): Block => {
  const { exceptions } = rules;
  const { height, id } = received;
  const transactions = withFixedIds(received.transactions, exceptions);
  const block = transactions === received.transactions ? received : { ...received, transactions };
  const excepted = isExcepted(block, exceptions);

  const computed = computeBlockId(block, rules.constants.idFullSha256);
  // A block of the table is known by its other id alone (Core 3.12, the deserialiser).
  const expectedId = exceptions.outlookTable?.[computed] ?? computed;
  if (expectedId !== id && !excepted) {
    throw new InvalidBlockError(height, `its id is ${id}, but its contents give ${expectedId}`);
  }
  if (transactions.length !== block.numberOfTransactions && !excepted) {
    throw new InvalidBlockError(
      height,
      `it states ${block.numberOfTransactions} transactions, but ${transactions.length} came with it`,
    );
  }
  const fixedOrder = exceptions.wrongTransactionOrder?.[id];
  const reordered = fixedOrder && inOrder(transactions, fixedOrder);
  if (height === 1) {
    if (block.payloadHash !== rules.nethash) {
      throw new InvalidBlockError(
        height,
        `the genesis block's payloadHash is ${block.payloadHash}, but the network's nethash is ${rules.nethash}`,
      );
    }
  } else if (!reordered && !excepted) {
    const payloadHash = computePayloadHash(transactions.map((transaction) => transaction.id));
    if (payloadHash !== block.payloadHash) {
      throw new InvalidBlockError(
        height,
        `its payloadHash is ${block.payloadHash}, but its transactions give ${payloadHash}`,
      );
    }
  }
  if (!excepted) assertTotals(block, rules);
  return reordered ? { ...block, transactions: reordered } : block;
};
