import { availableParallelism } from 'node:os';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Block, Network } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import { SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { NETWORK } from '../network/network-guard.js';
import { BulkReader } from './bulk-reader.js';
import { PreparePool } from './prepare-pool.js';

/**
 * If fewer blocks than this are missing, fetching and staging them is faster than opening the source from its
 * beginning.
 */
export const LEAST_LAG = 1_000;

/** If only hashes are checked, more threads would be idle, and each takes about 40 MiB. */
const MOST_THREADS = 4;

/** Segments prepared ahead of the ledger, in addition to one per thread. */
const SPARE_SEGMENTS = 1;

interface OpenReader {
  readonly pool: PreparePool;
  readonly reader: BulkReader;
}

/** While the index is far behind, reads an archive or a node's database directly, without the queues and the staging. */
@Injectable()
export class BulkBlocks implements OnApplicationShutdown {
  private opened: OpenReader | null = null;
  private restsUntil = 0;

  constructor(
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(NETWORK) private readonly network: Network,
    @Inject(SETTINGS) private readonly settings: Pick<IndexerSettings, 'VERIFY'>,
  ) {}

  /** Whether the blocks from `next` to `tip` are read in bulk instead of fetched. */
  isDue(next: number, tip: number): boolean {
    return this.source.segments !== undefined && tip - next + 1 >= LEAST_LAG;
  }

  /** The blocks from `height` on; null if they should not be read in bulk now. Throws `NodeProtocolError`. */
  async read(height: number, tip: number): Promise<readonly Block[] | null> {
    if (performance.now() < this.restsUntil) return null;
    if (!this.isDue(height, tip) && this.opened?.reader.next !== height) return null;
    this.opened ??= this.open();
    return this.opened.reader.read(height);
  }

  /** Reads nothing for this time, because the source is wrong at the next height. */
  rest(durationMs: number): void {
    this.restsUntil = performance.now() + durationMs;
  }

  /** Runs after the current batch has ended, which may still read from here. */
  async onApplicationShutdown(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    await opened?.reader.close();
    await opened?.pool.close();
  }

  private open(): OpenReader {
    const { source, network } = this;
    const { VERIFY: verify } = this.settings;
    const cores = availableParallelism();
    // The ledger needs one core, except when signatures are verified: then it mostly waits.
    const free = verify === 'full' ? cores : Math.max(cores - 1, 1);
    const threads = Math.min(free, MOST_THREADS);
    const pool = new PreparePool({ source: source.name, network, verify }, { threads });
    const reader = new BulkReader(
      (from) => source.segments!(from),
      (segment) => pool.prepare(segment),
      { sourceName: source.name, ahead: threads + SPARE_SEGMENTS },
    );
    return { pool, reader };
  }
}
