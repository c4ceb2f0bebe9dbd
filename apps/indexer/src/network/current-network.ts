import {
  firstDifferentHeight,
  movesAmount,
  NetworkConfigError,
  typesMovedByOne,
  type Network,
} from '@roundhouse/chain';
import { claimNetwork, findFirstMoved, forgetRefusals, readNetwork, readPosition } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/** `made` has the rules that made the index. Throws `NetworkConfigError` if the milestones of `other` differ from them up to `height`. */
export const assertSameMilestones = (made: Network, other: Network, height: number): void => {
  const different = firstDifferentHeight(made, other);
  if (different === null || different > height) return;
  const back =
    different === 1
      ? '"indexer reset --yes"'
      : `"indexer rollback --to ${different - 1} --yes" ("indexer reset --yes" if that is too far down)`;
  throw new NetworkConfigError(
    `it has other rules from height ${different} on than those that made the index, which is at height ${height} already. ` +
      `If the new rules are right, stop the indexers, run ${back}, and start them again.`,
  );
};

/** The same for `customTypes`: only a rebuild changes what they have moved. */
const assertSameTypes = async (pool: Pool, made: Network, other: Network): Promise<void> => {
  const first = await findFirstMoved(pool, typesMovedByOne(made, other));
  if (first === null) return;
  const { typeGroup, type, firstHeight } = first;
  throw new NetworkConfigError(
    `by its customTypes the amounts of type ${typeGroup}/${type} ${movesAmount(first, other) ? 'move' : 'do not move'}, but the index ` +
      `was made by others, and has such transactions from height ${firstHeight} on. If the new ones are right, stop the indexers, run ` +
      `"indexer rebuild" with NETWORK set to this configuration, and start them again; otherwise set NETWORK to the configuration before.`,
  );
};

/** Throws `NetworkConfigError` if `other` has other rules for blocks of the index than those that made it. */
export const assertSamePast = async (pool: Pool, made: Network, other: Network): Promise<void> => {
  const { head } = await readPosition(pool);
  assertSameMilestones(made, other, head?.height ?? 0);
  await assertSameTypes(pool, made, other);
};

/**
 * The configuration that this process works with. The row in the tables is the truth: all processes switch to a newer one
 * when they see it there. Blocks that only the newer one allows are staged after it is stored.
 */
export class CurrentNetwork {
  private version: string | undefined;
  private text = '';

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    private network: Network,
  ) {}

  get value(): Network {
    return this.network;
  }

  /** Switches to a newer one if another process has stored it. */
  async refresh(): Promise<Network> {
    const stored = await readNetwork(this.pool, this.version);
    if (stored === null || stored.network.nethash !== this.network.nethash) return this.network;
    if (stored.text !== this.text) this.network = stored.network;
    this.version = stored.version;
    this.text = stored.text;
    return this.network;
  }

  /** Stores the configuration of a source. Throws `NetworkConfigError` if its rules for indexed blocks differ. */
  async accept(told: Network): Promise<void> {
    await this.refresh();
    await assertSamePast(this.pool, this.network, told);
    const from = firstDifferentHeight(this.network, told);
    await claimNetwork(this.pool, told);
    // Blocks that the old configuration refused may be right.
    await forgetRefusals(this.pool);
    await this.refresh();
    if (from !== null)
      this.logger.warn({ from }, 'the source announces other rules for the chain: used from that height on');
  }
}
