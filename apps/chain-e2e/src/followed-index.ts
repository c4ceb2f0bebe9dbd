import { readSettings } from '@roundhouse/config';
import { indexerSettings, startIndexer, type RunningIndexer } from '@roundhouse/indexer';
import { createBlockSource } from '@roundhouse/source';
import { readPosition } from '@roundhouse/storage';
import { createIndexerDatabase, eventually } from '@roundhouse/testing';
import pg from 'pg';
import { pino } from 'pino';

/** A whole indexer that follows a node on its own database, with its queues in PostgreSQL. */
export class FollowedIndex {
  private constructor(
    readonly client: pg.Client,
    private readonly indexer: RunningIndexer,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(nodeUrl: string, over: Readonly<Record<string, string>> = {}): Promise<FollowedIndex> {
    const database = await createIndexerDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const settings = readSettings(indexerSettings, {
      BLOCK_SOURCE: nodeUrl,
      DATABASE_URL: database.url,
      OPS_PORT: '0',
      POLL_INTERVAL_MS: '50',
      ...over,
    });
    const indexer = await startIndexer(settings, pino({ level: 'silent' }), ({ BLOCK_SOURCE }, network) =>
      createBlockSource({ urls: BLOCK_SOURCE, network }),
    );
    return new FollowedIndex(client, indexer, () => database.drop());
  }

  /** Waits until the index has this block as its head; throws if the indexer halts before that. */
  async reach(block: { readonly id: string }): Promise<void> {
    let halted: Error | null = null;
    void this.indexer.halted.then((reason) => (halted = reason));
    await eventually(
      `block ${block.id} is the head`,
      async () => halted !== null || (await this.headId()) === block.id,
    );
    if (halted) throw halted as Error;
  }

  async close(): Promise<void> {
    await this.indexer.stop();
    await this.client.end();
    await this.drop();
  }

  private async headId(): Promise<string | undefined> {
    return (await readPosition(this.client)).head?.id;
  }
}
