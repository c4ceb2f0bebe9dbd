import { admitForger, applyBlock, Rules, type Block, type Network } from '@roundhouse/chain';
import {
  claimNetwork,
  IndexWriter,
  loadLedger,
  makeCertificate,
  readPosition,
  resetIndex,
  undoTo,
} from '@roundhouse/storage';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';

interface GrowingIndexOptions {
  readonly keepsHistory?: boolean;
  /** (Default: 10,000 blocks) */
  readonly undoDepth?: number;
}

/** An index in its own database, written like the indexer writes it. */
export class GrowingIndex {
  private constructor(
    private readonly client: pg.Client,
    private readonly network: Network,
    private readonly options: GrowingIndexOptions,
    readonly url: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async create(
    network: Network,
    options: GrowingIndexOptions = {},
    database?: TestDatabase,
  ): Promise<GrowingIndex> {
    database ??= await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await claimNetwork(client, network);
    return new GrowingIndex(client, network, options, database.url, () => database.drop());
  }

  /** Applies the blocks that follow the head, as one batch. */
  async apply(blocks: readonly Block[]): Promise<void> {
    const { keepsHistory = false, undoDepth = 10_000 } = this.options;
    const ledger = await loadLedger(this.client, this.network);
    const writer = new IndexWriter(this.client, this.client);
    const from = ledger.head;
    const rules = new Rules();
    if (from === null) ledger.keepsHistory = keepsHistory;
    await writer.loadWorkingSet(ledger, blocks);
    for (const block of blocks) {
      admitForger(ledger, block);
      applyBlock(ledger, block, true, { rules });
    }
    await writer.addBlocks(blocks);
    const changes = ledger.takeChanges();
    const head = ledger.head!;
    const written = { from, head, delegateCount: ledger.delegates.size, changes, undoDepth };
    writer.addChanges(written);
    writer.moveHead(written);
    writer.tellReaders(written);
    await writer.commit(written);
  }

  /** Makes the certificate of a height, the head's by default. Returns the bytes of its file. */
  async certify(height?: number): Promise<string> {
    return (await makeCertificate(this.client, height)).text;
  }

  async undoTo(height: number): Promise<void> {
    const { head } = await readPosition(this.client);
    await undoTo(this.client, head!, height);
  }

  reset(): Promise<void> {
    return resetIndex(this.client);
  }

  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>> {
    return this.client.query<Row>(sql, values);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.drop();
  }
}
