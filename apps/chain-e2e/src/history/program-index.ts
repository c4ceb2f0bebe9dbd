import { runApp } from '@roundhouse/local-postgres';
import { createIndexerDatabase } from '@roundhouse/testing';
import pg from 'pg';
import type { OpenIndex } from '../served-index.js';

/** An index that commands of the indexer fill, as an operator runs them. */
export class ProgramIndex implements OpenIndex {
  private constructor(
    readonly url: string,
    readonly client: pg.Client,
    private readonly drop: () => Promise<void>,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async create(environment: Readonly<Record<string, string>>): Promise<ProgramIndex> {
    const database = await createIndexerDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return new ProgramIndex(database.url, client, () => database.drop(), environment);
  }

  /** Throws if the command fails. */
  async run(command: readonly string[], history: 'full' | 'off' = 'off'): Promise<void> {
    const environment = { ...this.environment, DATABASE_URL: this.url, HISTORY: history, OPS_PORT: '0' };
    await runApp('indexer', command, environment);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.drop();
  }
}
