import {
  admitForger,
  applyBlock,
  InvalidBlockError,
  Ledger,
  type Block,
  type Network,
} from '@roundhouse/chain';
import { afterAll } from '@jest/globals';
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { claimNetwork } from '../status/claim-network.js';
import { IndexWriter } from '../writer/index-writer.js';

const BATCH_BLOCKS = 23;

/** What is wrong with a chain is for the code under test to find. */
const admitAnyForger = (ledger: Ledger, block: Block): void => {
  try {
    admitForger(ledger, block);
  } catch (error) {
    if (!(error instanceof InvalidBlockError)) throw error;
  }
};

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

interface Indexing {
  readonly network: Network;
  readonly blocks: readonly Block[];
  readonly undoDepth: number;
  readonly keepsHistory: boolean;
  readonly keepsDetails: boolean;
  readonly keepsStatistics: boolean;
}

const indexed = async ({ network, blocks, undoDepth, ...keeps }: Indexing): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  const client = await connected(database.url);
  await claimNetwork(client, network);
  const ledger = Ledger.empty(network);
  Object.assign(ledger, keeps);
  const writer = new IndexWriter(client, client);
  for (let start = 0; start < blocks.length; start += BATCH_BLOCKS) {
    const from = ledger.head;
    const batch = blocks.slice(start, start + BATCH_BLOCKS);
    for (const block of batch) {
      admitAnyForger(ledger, block);
      applyBlock(ledger, block, block.height > blocks.length - undoDepth);
    }
    await writer.addBlocks(batch);
    const changes = ledger.takeChanges();
    const { head, delegates } = ledger;
    const written = { from, head: head!, delegateCount: delegates.size, changes, undoDepth };
    writer.addChanges(written);
    writer.moveHead(written);
    writer.tellReaders(written);
    await writer.commit(written);
  }
  await client.end();
  return database;
};

/** What this suite has indexed: the next test that asks for the same gets a copy. */
const originals = new Map<string, Promise<TestDatabase>>();

afterAll(async () => {
  for (const original of originals.values()) await (await original).drop();
});

/** A chain in a database of its own, written as the indexer writes it. */
export class IndexedChain {
  private constructor(
    readonly client: pg.Client,
    private readonly database: TestDatabase,
  ) {}

  static async create(
    network: Network,
    blocks: readonly Block[],
    undoDepth = 10_000,
    keepsHistory = false,
    /** False: as an earlier version did it. */
    keepsDetails = true,
  ): Promise<IndexedChain> {
    const keeps = { keepsHistory, keepsDetails, keepsStatistics: keepsDetails };
    const { nethash, customTypes = [] } = network;
    const key = JSON.stringify([nethash, customTypes, blocks.map(({ id }) => id), undoDepth, keeps]);
    const original = originals.get(key) ?? indexed({ network, blocks, undoDepth, ...keeps });
    originals.set(key, original);
    return IndexedChain.copyOf(await original);
  }

  private static async copyOf(original: TestDatabase): Promise<IndexedChain> {
    const database = await copyTestDatabase(original);
    return new IndexedChain(await connected(database.url), database);
  }

  /** Ends the connection, and makes copies of the database as it is now. */
  async asOriginal(): Promise<() => Promise<IndexedChain>> {
    await this.client.end();
    originals.set(this.url, Promise.resolve(this.database));
    return () => IndexedChain.copyOf(this.database);
  }

  get url(): string {
    return this.database.url;
  }

  /** Calls `work` with another connection, which is ended afterwards. */
  async apart<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await connected(this.url);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }
}
