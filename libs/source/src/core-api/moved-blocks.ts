import type { Block } from '@roundhouse/chain';
import { NodeUnavailableError } from '../errors/node-errors.js';

interface Ids {
  readonly name: string;
  blockIdAt(height: number): Promise<string | null>;
}

/**
 * A range takes several requests, and the node may replace its newest blocks between two of them. If the parts do
 * not match, the node is asked once more. If it has other blocks by now, the answer was not wrong: try again. Throws
 * `NodeUnavailableError`.
 */
export const assertStill = async (source: Ids, blocks: readonly Block[], misfit: Block): Promise<void> => {
  const suspects = blocks.filter(({ height }) => height === misfit.height || height === misfit.height - 1);
  for (const { height, id } of suspects) {
    if ((await source.blockIdAt(height)) === id) continue;
    throw new NodeUnavailableError(
      source.name,
      'moved',
      `${source.name} replaced block ${height} while it was read; the range is read again.`,
    );
  }
};
