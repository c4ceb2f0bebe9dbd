import type { Status } from './read-status.js';

/** Blocks that the source has and the index has not; null before the source was asked. */
export const lagOf = ({ index }: Status): number | null =>
  index === null || index.source === null
    ? null
    : Math.max(index.source.height - (index.head?.height ?? 0), 0);

/** What `status --json` prints. Amounts are decimal text, moments ISO 8601. */
export const statusJson = (status: Status) => {
  const { schema, index, queues } = status;
  const {
    head = null,
    network = null,
    source = null,
    refused = null,
    staged = null,
    writer = null,
  } = index ?? {};
  return {
    schema,
    network: network && {
      name: network.name,
      nethash: network.nethash,
      token: network.token,
      symbol: network.symbol,
    },
    head: head && {
      height: head.height,
      id: head.id,
      forgedAt: head.forgedAt,
      indexedAt: head.indexedAt,
      lowestUndo: head.lowestUndo,
    },
    source,
    lag: lagOf(status),
    supply: head && head.supply.toString(),
    delegates: head && head.delegates,
    round: head && {
      number: head.nextRound.round,
      firstHeight: head.nextRound.firstHeight,
      lastHeight: head.nextRound.lastHeight,
    },
    refused,
    staged,
    queues,
    writer,
  };
};
