import type { Delegate } from '@roundhouse/chain';
import { shownTimestamp } from '@roundhouse/core-node';
import type { DevnetChain } from '../../chain/devnet-chain.js';

export interface RankedDelegate {
  readonly delegate: Delegate;
  /** From 1; null for a resigned delegate. */
  readonly rank: number | null;
}

const byRank = (a: Delegate, b: Delegate): number => {
  if (a.isResigned !== b.isResigned) return a.isResigned ? 1 : -1;
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  return a.publicKey < b.publicKey ? -1 : 1;
};

/** All delegates by weight at the head; resigned ones come last. */
export const rankDelegates = ({ state }: DevnetChain): readonly RankedDelegate[] =>
  [...state.ledger.delegates.values()]
    .sort(byRank)
    .map((delegate, index) => ({ delegate, rank: delegate.isResigned ? null : index + 1 }));

/** Percent of the supply with two decimals. */
const approvalOf = ({ weight }: Delegate, supply: bigint): number =>
  supply === 0n ? 0 : Number((weight * 10_000n) / supply) / 100;

export const presentDelegate = (
  { delegate, rank }: RankedDelegate,
  { state, timing }: DevnetChain,
): object => {
  const { username, address, publicKey, weight, isResigned, producedBlocks, forgedFees, forgedRewards } =
    delegate;
  const last = producedBlocks > 0 ? state.lastForged.get(publicKey) : undefined;
  return {
    username,
    address,
    publicKey,
    votes: weight.toString(),
    ...(rank === null ? {} : { rank }),
    isResigned,
    blocks: {
      produced: producedBlocks,
      ...(last === undefined
        ? {}
        : {
            last: {
              id: last.id,
              height: last.height,
              timestamp: shownTimestamp(Date.parse(timing.epoch), last.timestamp),
            },
          }),
    },
    production: { approval: approvalOf(delegate, state.ledger.supply) },
    forged: {
      fees: forgedFees.toString(),
      rewards: forgedRewards.toString(),
      total: (forgedFees + forgedRewards).toString(),
    },
  };
};
