import { Inject, Injectable } from '@nestjs/common';
import type { Network } from '@roundhouse/chain';
import { readNetwork, readPosition, type Position } from '@roundhouse/storage';
import { Pool } from 'pg';

// What this process last read from the tables: how far index and source are, and the chain's configuration.

/** The injection token of the height at which this process ends its work; null if it follows the chain to its end. */
export const LAST_HEIGHT = Symbol('last height');

/**
 * With fewer missing blocks than this, fetching and staging them is faster than opening an archive or a database. With more,
 * the newest tip and the indexes of lists can wait.
 */
export const FAR_BEHIND_BLOCKS = 1_000;

/** Where index and source were when this process last read them. The source's height is limited by `lastHeight`. */
@Injectable()
export class PositionService {
  current: Position = {
    head: null,
    sourceHeight: null,
    finalHeight: null,
    checkedAt: null,
    hasRefusals: false,
  };

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LAST_HEIGHT) private readonly asked: number | null,
  ) {}

  /** The last height to apply; Infinity if there is no limit. */
  get lastHeight(): number {
    return Math.min(this.asked ?? Infinity, this.current.finalHeight ?? Infinity);
  }

  /** Blocks that the source has and the index does not; null until the source was asked. */
  get lag(): number | null {
    const { head, sourceHeight } = this.current;
    return sourceHeight === null ? null : Math.max(sourceHeight - (head?.height ?? 0), 0);
  }

  async refresh(): Promise<Position> {
    this.current = await readPosition(this.pool);
    const { sourceHeight } = this.current;
    if (sourceHeight !== null)
      this.current = { ...this.current, sourceHeight: Math.min(sourceHeight, this.lastHeight) };
    return this.current;
  }
}

/**
 * The configuration that this process works with. The row in the tables is the truth: all processes switch to a newer one
 * when they see it there. Blocks that only the newer one allows are staged after it is stored.
 */
export class CurrentNetwork {
  private version: string | null = null;
  private text = '';

  constructor(
    private readonly pool: Pool,
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
}
