import { randomBytes } from 'node:crypto';
import type { IndexUnderTest } from './index-under-test.js';

const PASSWORD = 'secret';

/** A role for the indexer of one test file: it cannot change the schema. */
export class IndexerRole {
  readonly name: string;

  constructor(prefix: string) {
    this.name = `${prefix}_${randomBytes(4).toString('hex')}`;
  }

  /** The settings with which `indexer migrate` creates it. */
  get settings(): Readonly<Record<string, string>> {
    return { INDEXER_ROLE: this.name, INDEXER_DATABASE_PASSWORD: PASSWORD };
  }

  /** The settings of an index, with this role in the database URL. */
  environmentOf({ environment }: IndexUnderTest): Record<string, string> {
    const url = new URL(environment['DATABASE_URL']!);
    [url.username, url.password] = [this.name, PASSWORD];
    return { ...environment, DATABASE_URL: url.toString() };
  }

  async drop({ pool }: IndexUnderTest): Promise<void> {
    await pool.query(`DROP OWNED BY ${this.name}; DROP ROLE ${this.name}`);
  }
}
