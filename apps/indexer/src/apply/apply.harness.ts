import { asRead } from '@roundhouse/blocks';
import type { Block, Network } from '@roundhouse/chain';
import { createTestDatabase, snapshotTables, type TablesSnapshot } from '@roundhouse/testing';
import pg from 'pg';
import type { ApplyOptions, ApplyOutcome } from './apply-options.js';
import { ApplyService } from './apply.service.js';

/** An index on its own database, fed from an array as if the array were staged in ranges of `rangeBlocks`. */
export class ApplyHarness {
  staged: readonly Block[] = [];
  rangeBlocks = 40;
  /** Awaited before the blocks from this height on are read. */
  beforeRead: (height: number) => Promise<unknown> = async () => undefined;
  readonly apply: ApplyService;
  private readonly reader: pg.Pool;

  private constructor(
    readonly client: pg.Client,
    readonly url: string,
    private readonly drop: () => Promise<void>,
    network: Network,
    options: Partial<ApplyOptions>,
  ) {
    this.reader = new pg.Pool({ connectionString: url, max: 1 });
    this.apply = new ApplyService(client, this.reader, (height) => this.read(height), {
      network,
      batchBlocks: 7,
      undoDepth: 10_000,
      claimedHeight: () => 0,
      ...options,
    });
  }

  static async create(network: Network, options: Partial<ApplyOptions> = {}): Promise<ApplyHarness> {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return new ApplyHarness(client, database.url, () => database.drop(), network, options);
  }

  /** Stages the blocks and applies them. */
  index(blocks: readonly Block[]): Promise<ApplyOutcome> {
    this.staged = blocks;
    return this.apply.drain();
  }

  snapshot(): Promise<TablesSnapshot> {
    return snapshotTables(this.client);
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    return Number(rows[0]!.count);
  }

  async close(): Promise<void> {
    await Promise.all([this.client.end(), this.reader.end()]);
    await this.drop();
  }

  private async read(height: number): Promise<readonly Block[] | null> {
    await this.beforeRead(height);
    const from = this.staged.findIndex((block) => block.height === height);
    // The keys of assets have one order in all sources, and another in chains that tests make.
    return from < 0 ? null : this.staged.slice(from, from + this.rangeBlocks).map(asRead);
  }
}
