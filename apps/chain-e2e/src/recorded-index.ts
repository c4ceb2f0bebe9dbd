import type { Network } from '@roundhouse/chain';
import { ApplyService } from '@roundhouse/indexer';
import { createBlockSource, type BlockSource } from '@roundhouse/source';
import { claimNetwork, readStagedBlocks, stageBlocks } from '@roundhouse/storage';
import {
  createFilledDatabase,
  createTestDatabase,
  findViolations,
  type RecordedChain,
  type TestDatabase,
} from '@roundhouse/testing';
import pg from 'pg';
import { archiveOf, headOf, networkOf } from './recorded-chains.js';

/** What an index reads of a block source. */
export type RecordedBlocks = Pick<BlockSource, 'name' | 'blocks'>;

export interface RecordedIndexOptions {
  /** Most blocks of a batch. (Default: 51) */
  readonly batchBlocks?: number;
  /** (Default: false) */
  readonly keepsHistory?: boolean;
  /** Whether the invariants are checked after each batch. (Default: true) */
  readonly checksInvariants?: boolean;
}

/** An index on its own database that stages and applies a recorded chain as the indexer does. */
export class RecordedIndex {
  readonly violations: Record<string, string>[] = [];
  private readonly apply: ApplyService;
  private readonly reader: pg.Pool;
  private readonly batchBlocks: number;
  private readonly checksInvariants: boolean;

  private constructor(
    readonly url: string,
    readonly client: pg.Client,
    private readonly drop: () => Promise<void>,
    private readonly source: RecordedBlocks,
    network: Network,
    { batchBlocks = 51, keepsHistory = false, checksInvariants = true }: RecordedIndexOptions,
  ) {
    this.batchBlocks = batchBlocks;
    this.checksInvariants = checksInvariants;
    this.reader = new pg.Pool({ connectionString: url, max: 1 });
    this.apply = new ApplyService(client, this.reader, (height) => readStagedBlocks(client, height), {
      network,
      batchBlocks,
      undoDepth: 10_000,
      claimedHeight: () => 0,
      keepsHistory,
    });
  }

  /** An index without blocks. */
  static async create(
    source: RecordedBlocks,
    network: Network,
    options: RecordedIndexOptions = {},
  ): Promise<RecordedIndex> {
    return RecordedIndex.open(await createTestDatabase(), source, network, options);
  }

  /** The index of a whole recording: a copy of one that each run makes once. */
  static async whole(
    recording: RecordedChain,
    options: Pick<RecordedIndexOptions, 'keepsHistory'> = {},
  ): Promise<RecordedIndex> {
    const network = await networkOf(recording);
    const source = await createBlockSource({ urls: archiveOf(recording), network });
    const open = (database: TestDatabase): Promise<RecordedIndex> =>
      RecordedIndex.open(database, source, network, options);
    const fill = async (url: string): Promise<void> => {
      const index = await open({ url, drop: async () => undefined });
      await index.indexTo(headOf(recording));
      await index.close();
      const violated = index.violations.flatMap(Object.keys);
      if (violated.length > 0) throw new Error(`Violated after a batch: ${violated.join(', ')}`);
    };
    const template = `${recording.replaceAll(/\W/g, '_')}${options.keepsHistory ? '_history' : ''}`;
    const database = await createFilledDatabase(template, fill);
    const drop = async (): Promise<void> => {
      await source.close();
      await database.drop();
    };
    return open({ url: database.url, drop });
  }

  private static async open(
    database: TestDatabase,
    source: RecordedBlocks,
    network: Network,
    options: RecordedIndexOptions,
  ): Promise<RecordedIndex> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await claimNetwork(client, network);
    return new RecordedIndex(database.url, client, () => database.drop(), source, network, options);
  }

  /** Continues the index up to `height`; `violations` gets the violated invariants of each batch, if they are checked. */
  async indexTo(height: number): Promise<void> {
    let head = (await this.apply.open())?.height ?? 0;
    while (head < height) {
      const blocks = await this.source.blocks(head + 1, Math.min(height, head + this.batchBlocks));
      if (blocks.length === 0) throw new Error(`${this.source.name} ends below height ${height}.`);
      await stageBlocks(this.client, blocks);
      const outcome = await this.apply.drain();
      if (outcome.kind !== 'applied')
        throw new Error(`A block above ${head} is not applied: ${outcome.kind}.`);
      if (this.checksInvariants) this.violations.push(await findViolations(this.client));
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
