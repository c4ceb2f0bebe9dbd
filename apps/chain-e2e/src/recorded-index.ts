import type { Network } from '@roundhouse/chain';
import { ApplyService } from '@roundhouse/indexer';
import type { BlockSource } from '@roundhouse/source';
import { claimNetwork, readStagedBlocks, stageBlocks } from '@roundhouse/storage';
import { createTestDatabase, findViolations } from '@roundhouse/testing';
import pg from 'pg';

/** What an index reads of a block source. */
export type RecordedBlocks = Pick<BlockSource, 'name' | 'blocks'>;

export interface RecordedIndexOptions {
  /** Most blocks of a batch. (Default: 51) */
  readonly batchBlocks?: number;
  /** (Default: false) */
  readonly keepsHistory?: boolean;
}

/** An index on its own database that stages and applies a recorded chain as the indexer does. */
export class RecordedIndex {
  readonly violations: Record<string, string>[] = [];
  private readonly apply: ApplyService;
  private readonly reader: pg.Pool;

  private constructor(
    readonly url: string,
    readonly client: pg.Client,
    private readonly drop: () => Promise<void>,
    private readonly source: RecordedBlocks,
    network: Network,
    private readonly batchBlocks: number,
    keepsHistory: boolean,
  ) {
    this.reader = new pg.Pool({ connectionString: url, max: 1 });
    this.apply = new ApplyService(client, this.reader, (height) => readStagedBlocks(client, height), {
      network,
      batchBlocks,
      undoDepth: 10_000,
      claimedHeight: () => 0,
      keepsHistory,
    });
  }

  static async create(
    source: RecordedBlocks,
    network: Network,
    { batchBlocks = 51, keepsHistory = false }: RecordedIndexOptions = {},
  ): Promise<RecordedIndex> {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await claimNetwork(client, network);
    const drop = (): Promise<void> => database.drop();
    return new RecordedIndex(database.url, client, drop, source, network, batchBlocks, keepsHistory);
  }

  /** Continues the index up to `height`; `violations` gets the violated invariants of each batch. */
  async indexTo(height: number): Promise<void> {
    let head = (await this.apply.open())?.height ?? 0;
    while (head < height) {
      const blocks = await this.source.blocks(head + 1, Math.min(height, head + this.batchBlocks));
      if (blocks.length === 0) throw new Error(`${this.source.name} ends below height ${height}.`);
      await stageBlocks(this.client, blocks);
      const outcome = await this.apply.drain();
      if (outcome.kind !== 'applied')
        throw new Error(`A block above ${head} is not applied: ${outcome.kind}.`);
      this.violations.push(await findViolations(this.client));
      head = outcome.head?.height ?? 0;
    }
  }

  async undoTo(height: number): Promise<void> {
    await this.apply.undoTo(height);
  }

  async close(): Promise<void> {
    await Promise.all([this.client.end(), this.reader.end()]);
    await this.drop();
  }
}
