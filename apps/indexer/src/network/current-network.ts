import { firstDifferentHeight, NetworkConfigError, type Network } from '@roundhouse/chain';
import { claimNetwork, readNetwork, readPosition } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/**
 * Throws `NetworkConfigError` where a configuration would have made other tables up to `height` than the one that made
 * them.
 */
export const assertSamePast = (made: Network, other: Network, height: number): void => {
  const different = firstDifferentHeight(made, other);
  if (different === null || different > height) return;
  throw new NetworkConfigError(
    `it has other rules from height ${different} on than the index was made with, which is at height ${height} already. ` +
      `If they are right, stop the indexers, run "indexer rollback --to ${different - 1} --yes" ("indexer reset --yes" ` +
      `where that is too far down), and start them again.`,
  );
};

/**
 * The configuration that this process works with. The row in the tables is the truth: all processes go over to a newer
 * one when they see it there, and blocks that only the newer one allows are staged after it is there.
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

  /** Looks whether another process has stored a newer one. */
  async refresh(): Promise<Network> {
    const stored = await readNetwork(this.pool, this.version);
    if (stored === null || stored.network.nethash !== this.network.nethash) return this.network;
    if (stored.text !== this.text) this.network = stored.network;
    this.version = stored.version;
    this.text = stored.text;
    return this.network;
  }

  /** Stores what a source tells. Throws `NetworkConfigError` where it has another past than the index. */
  async accept(told: Network): Promise<void> {
    await this.refresh();
    const { head } = await readPosition(this.pool);
    assertSamePast(this.network, told, head?.height ?? 0);
    const from = firstDifferentHeight(this.network, told);
    await claimNetwork(this.pool, told);
    await this.refresh();
    if (from !== null)
      this.logger.warn({ from }, 'the chain gets other rules, as the source tells: used from that height on');
  }
}
