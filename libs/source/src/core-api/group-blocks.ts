import type { BlockHeader } from '@roundhouse/chain';

/** The most transactions per query: deep pages cost the node more than another query. */
const MOST_TRANSACTIONS = 500;

/** Groups the blocks that have transactions, one query per group. */
export const groupBlocks = (headers: readonly BlockHeader[], mostBlocks: number): BlockHeader[][] => {
  const groups: BlockHeader[][] = [];
  let transactions = 0;
  for (const header of headers) {
    if (header.numberOfTransactions === 0) continue;
    const group = groups.at(-1);
    transactions += header.numberOfTransactions;
    if (group && group.length < mostBlocks && transactions <= MOST_TRANSACTIONS) {
      group.push(header);
    } else {
      groups.push([header]);
      transactions = header.numberOfTransactions;
    }
  }
  return groups;
};
