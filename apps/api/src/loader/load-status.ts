import { NO_BLOCK_ID } from '@roundhouse/chain';
import type { ChainView } from '../chain/chain-view.js';

export interface LoadStatus {
  readonly height: number;
  readonly id: string;
  /** The node's height minus ours; negative when the node is behind, 0 while nothing was heard of it. */
  readonly blocksBehind: number;
  /** False while nothing is heard of the node, too. */
  readonly hasCaughtUp: boolean;
}

const MOST_BLOCKS_BEHIND = 1;

export const loadStatusOf = ({ headOrNull, sourceHeight, isSourceSilent }: ChainView): LoadStatus => {
  const { height, id } = headOrNull ?? { height: 0, id: NO_BLOCK_ID };
  const blocksBehind = sourceHeight === null ? 0 : sourceHeight - height;
  return {
    height,
    id,
    blocksBehind,
    hasCaughtUp:
      headOrNull !== null && sourceHeight !== null && !isSourceSilent && blocksBehind <= MOST_BLOCKS_BEHIND,
  };
};
