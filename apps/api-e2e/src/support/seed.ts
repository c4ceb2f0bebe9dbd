import {
  AccountEntity,
  BlockEntity,
  DelegateEntity,
  entities,
  HeadEntity,
  NetworkEntity,
  PublicKeyEntity,
  RoundEntity,
  SourceStatusEntity,
} from '@roundhouse/entities';
import { ALL_WEIGHTS_EVERY, LASTING } from '@roundhouse/chain';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { DataSource } from 'typeorm';
import * as chain from './hand-made-chain.js';
import { SUM_UP_DAYS } from './sum-up-days.js';

/** A connection to the test database, to write like the indexer. */
export const openDatabase = (url: string): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    url,
    entities,
    installExtensions: false,
    poolErrorHandler: () => undefined,
  }).initialize();

export const seedNetwork = async (
  database: DataSource,
  configuration = chain.CONFIGURATION,
): Promise<void> => {
  const { name, nethash } = configuration.network;
  await database.getRepository(NetworkEntity).insert({ name, nethash, configuration });
};

// Nothing has changed since the genesis block and the registrations.
const HISTORY = [
  `INSERT INTO history_balances (account, height, balance, locked)
   SELECT number, 1, balance, locked FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO history_votes (account, from_height, until_height, address, vote)
   SELECT number, 1, ${LASTING}, address, vote FROM accounts WHERE vote IS NOT NULL ON CONFLICT DO NOTHING`,
  `INSERT INTO history_delegates (delegate, height, is_resigned, produced_blocks, missed_blocks, forged_fees,
     forged_rewards)
   SELECT number, registered_height, is_resigned, produced_blocks, missed_blocks, forged_fees,
     forged_rewards FROM delegates ON CONFLICT DO NOTHING`,
  `INSERT INTO history_weights (height, delegates, weights)
   SELECT due.height, array_agg(number), array_agg(weight)
   FROM (SELECT registered_height FROM delegates
     UNION SELECT generate_series(${ALL_WEIGHTS_EVERY}, height, ${ALL_WEIGHTS_EVERY}) FROM head) AS due (height)
     JOIN delegates ON registered_height <= due.height
   GROUP BY due.height
   ON CONFLICT (height) DO UPDATE SET delegates = excluded.delegates, weights = excluded.weights`,
];

/** Adds the history of rows that have none, and the statistics of days. */
export const seedHistory = async (database: DataSource): Promise<void> => {
  for (const statement of [...HISTORY, SUM_UP_DAYS]) await database.query(statement);
};

export const seedChain = async (database: DataSource): Promise<void> => {
  await seedNetwork(database);
  const heights = Array.from({ length: chain.HEAD_HEIGHT }, (_, index) => index + 1);
  await database.getRepository(PublicKeyEntity).insert(chain.publicKeys);
  await database.getRepository(BlockEntity).insert(heights.map(chain.blockRow));
  await database.getRepository(DelegateEntity).insert(chain.delegates);
  await database.getRepository(AccountEntity).insert(chain.accounts);
  await database.getRepository(RoundEntity).insert(chain.rounds);
  await database.getRepository(SourceStatusEntity).insert({
    source: 'here',
    height: chain.HEAD_HEIGHT,
    // No indexer asks the node again; the long interval keeps its status valid.
    checkIntervalMs: 3_600_000,
  });
  await database.getRepository(HeadEntity).insert({
    height: chain.HEAD_HEIGHT,
    blockId: chain.blockId(chain.HEAD_HEIGHT),
    timestamp: chain.HEAD_TIMESTAMP,
    supply: chain.SUPPLY,
    delegateCount: chain.delegates.length,
    hasHistory: true,
    hasDetails: true,
  });
  await seedHistory(database);
};

/** A database with the hand-made chain, for a process. */
export const seededDatabase = async (
  seed: (database: DataSource) => Promise<void> = seedChain,
): Promise<TestDatabase> => {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase(testDatabase.url);
  await seed(database);
  await database.destroy();
  return testDatabase;
};
