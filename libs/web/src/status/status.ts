import type { ChainStatusResponse } from '@roundhouse/client';

/** Seconds since the chain's epoch as milliseconds since 1970. */
export const timeOf = ({ network }: ChainStatusResponse, timestamp: number): number =>
  Date.parse(network.epoch) + timestamp * 1000;

/** The API returns no rank beyond this one, except in lists by rank. `totalWeight` is the sum up to this rank. */
export const MOST_RANKED = 5000;

/** How many blocks the index is behind the node: negative if the node is behind, 0 if the node's height is unknown. */
export const blocksBehind = ({ sourceHeight, height }: ChainStatusResponse): number =>
  sourceHeight === null ? 0 : sourceHeight - height;
