import { availableParallelism } from 'node:os';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Network } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import type { EncodedBlocks } from '@roundhouse/storage';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { NETWORK } from '../network/network-guard.js';
import { SOURCE } from '../source.provider.js';
import { LocalReader } from './local-reader.js';
import { PreparePool } from './prepare-pool.js';

/** Behind by fewer blocks than this, fetching and staging them is quicker than opening the source from its beginning. */
const LEAST_LAG = 1_000;

/** More than these find no work where hashes alone are checked, and each takes some 40 MiB. */
const MOST_THREADS = 4;

/** Segments ahead of the ledger beyond one in each thread. */
const SPARE_SEGMENTS = 1;

interface OpenReader {
  readonly pool: PreparePool;
  readonly reader: LocalReader;
}

/** Reads a local source (an archive) past the queues and the staging, as long as the index is far behind. */
@Injectable()
export class LocalBlocks implements OnApplicationShutdown {
  private opened: OpenReader | null = null;
  private restsUntil = 0;

  constructor(
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(NETWORK) private readonly network: Network,
    @Inject(SETTINGS) private readonly settings: Pick<IndexerSettings, 'VERIFY'>,
  ) {}

  /** Whether the blocks from `next` up to `tip` are to be read here, and not fetched. */
  isDue(next: number, tip: number): boolean {
    return this.source.segments !== undefined && tip - next + 1 >= LEAST_LAG;
  }

  /** The blocks from `height` on, or null where they are not to be had here. Throws `NodeProtocolError`. */
  async read(height: number, tip: number): Promise<EncodedBlocks | null> {
    if (performance.now() < this.restsUntil) return null;
    if (!this.isDue(height, tip) && this.opened?.reader.next !== height) return null;
    this.opened ??= this.open();
    return this.opened.reader.read(height);
  }

  /** Reads nothing for so long: the source is wrong where it would be read. */
  rest(durationMs: number): void {
    this.restsUntil = performance.now() + durationMs;
  }

  /** Not before the batch in hand has ended, which may be read from here. */
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
    // One core is the ledger's, unless signatures are verified: that takes so long that the ledger mostly waits.
    const free = verify === 'full' ? cores : Math.max(cores - 1, 1);
    const threads = Math.min(free, MOST_THREADS);
    const pool = new PreparePool({ source: source.name, network, verify }, { threads });
    const reader = new LocalReader(
      (from) => source.segments!(from),
      (segment) => pool.prepare(segment),
      { sourceName: source.name, ahead: threads + SPARE_SEGMENTS },
    );
    return { pool, reader };
  }
}
