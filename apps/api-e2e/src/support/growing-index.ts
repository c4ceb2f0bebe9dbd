import { applyBlock, type Block, type Network } from '@roundhouse/chain';
import {
  claimNetwork,
  EncodedBlocks,
  IndexWriter,
  loadLedger,
  readPosition,
  resetIndex,
  undoTo,
} from '@roundhouse/storage';
import { createTestDatabase } from '@roundhouse/testing';
import pg from 'pg';

/** An index in its own database, written like the indexer writes it. */
export class GrowingIndex {
  private constructor(
    private readonly client: pg.Client,
    private readonly network: Network,
    readonly url: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async create(network: Network): Promise<GrowingIndex> {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await claimNetwork(client, network);
    return new GrowingIndex(client, network, database.url, () => database.drop());
  }

  /** Applies the blocks that follow the head, as one batch. */
  async apply(blocks: readonly Block[]): Promise<void> {
    const ledger = await loadLedger(this.client, this.network);
    const writer = new IndexWriter(this.client);
    const from = ledger.head;
    const encoded = EncodedBlocks.of([...blocks]);
    await writer.loadWorkingSet(ledger, encoded.blocks);
    for (const block of encoded.blocks) applyBlock(ledger, block, true);
    await writer.addBlocks(encoded);
    const changes = ledger.takeChanges();
    const head = ledger.head!;
    await writer.commit({ from, head, delegateCount: ledger.delegates.size, changes, undoDepth: 10_000 });
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
