import { firstDifferentHeight, type Network } from '@roundhouse/chain';
import { claimNetwork, forgetRefusals, readNetwork } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { assertSamePast } from './same-past.js';

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
