import { InvalidBlockError, type Block } from '@roundhouse/chain';

// What few blocks need: the genesis block, those that the network's exceptions list, and those of some sources.

/** The block with other ids for its transactions in the fix table. */
export const withFixedIds = (block: Block, table: Readonly<Record<string, string>>): Block => {
  if (!block.transactions.some(({ id }) => Object.hasOwn(table, id))) return block;
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
export const inListedOrder = (
  block: Block,
  orders: Readonly<Record<string, readonly string[]>>,
): Block | null => {
  const ids = orders[block.id];
  if (!ids) return null;
  const byId = new Map(block.transactions.map((transaction) => [transaction.id, transaction]));
  if (ids.length !== block.transactions.length || !ids.every((id) => byId.has(id))) return null;
  return { ...block, transactions: ids.map((id) => byId.get(id)!) };
};

/** Only some sources show the network. A node stores its own for transactions that do not say. */
export const withNetworks = (block: Block, network: number): Block => ({
  ...block,
  transactions: block.transactions.map((transaction) => ({
    ...transaction,
    network: transaction.network ?? network,
  })),
});

/** The genesis block has the nethash in place of its payload hash. Throws `InvalidBlockError`. */
export const assertGenesis = ({ payloadHash }: Block, nethash: string): void => {
  if (payloadHash === nethash) return;
  throw new InvalidBlockError(
    1,
    `the genesis block's payloadHash is ${payloadHash}, but the network's nethash is ${nethash}`,
  );
};
