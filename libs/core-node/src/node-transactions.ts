import type { NodeBlock, NodeChain, NodeTransaction } from './node-chain.js';
import type { NodeQuery } from './node-query.js';

export interface Place {
  readonly block: NodeBlock;
  readonly transaction: NodeTransaction;
}

export const placesIn = (block: NodeBlock): Place[] =>
  block.transactions.map((transaction) => ({ block, transaction }));

/** The transactions of the blocks at these heights, in the order of the chain. */
export const placesAt = (chain: NodeChain, heights: readonly number[]): Place[] =>
  [...new Set(heights)].sort((a, b) => a - b).flatMap((height) => placesIn(chain.block(height)));

/** The height of the block that contains transaction number `index` of the whole chain, from 0. */
const heightOfNumber = (chain: NodeChain, index: number): number => {
  let low = 1;
  let high = chain.height;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chain.transactionsUpTo(middle) > index) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The transactions of the chain from number `first` to before `end`. Reads only their blocks: a chain may be long. */
export const placesBetween = (chain: NodeChain, first: number, end: number): Place[] => {
  const places: Place[] = [];
  if (end <= first) return places;
  const height = heightOfNumber(chain, first);
  const before = chain.transactionsUpTo(height - 1);
  for (let next = height; before + places.length < end; next += 1)
    places.push(...placesIn(chain.block(next)));
  return places.slice(first - before, end - before);
};

/** Filters, by the field of a transaction that the node shows. */
const FIELDS = {
  type: 'type',
  typeGroup: 'typeGroup',
  senderPublicKey: 'senderPublicKey',
  senderId: 'sender',
  recipientId: 'recipient',
} as const;

/** Whether a transaction has what the filters of a query ask for. */
export const matches = (
  { block, transaction }: Place,
  filters: ReadonlyMap<string, readonly string[]>,
): boolean => {
  const among = (name: string, value: string): boolean => filters.get(name)?.includes(value) ?? true;
  if (!among('id', transaction.id) || !among('blockId', block.id)) return false;
  const asked = Object.entries(FIELDS).filter(([name]) => filters.has(name));
  if (asked.length === 0) return true;
  const shown = JSON.parse(transaction.plain) as Readonly<Record<string, string | number>>;
  return asked.every(([name, field]) => among(name, String(shown[field])));
};

/** Sorts as the query requests. Ties keep the order of `places`. */
export const sorted = (places: Place[], { orderBy }: NodeQuery): Place[] =>
  places.sort((a, b) => {
    for (const { property, isDescending } of orderBy) {
      const difference =
        property === 'sequence'
          ? a.transaction.sequence - b.transaction.sequence
          : a.block.timestamp - b.block.timestamp;
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
