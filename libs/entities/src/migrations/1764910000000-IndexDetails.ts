import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LIST_INDEXES, missingIndexes, type ListIndexes } from './1764800000000-BuildIndexesLast.js';

export const ADDED_INDEXES = [
  ['ix_accounts__attributes', 'accounts (number) WHERE attributes IS NOT NULL'],
  [
    'ix_transactions__unlocked',
    `transactions ((asset ->> 'lockTransactionId')) WHERE type_group = 1 AND type IN (9, 10)`,
  ],
] as const;

/** An index that begins empty gets them last. The lists of a full one answer at once. */
export const buildUnlessEmpty = async (queryRunner: QueryRunner, indexes: ListIndexes): Promise<void> => {
  const [{ isEmpty }] = (await queryRunner.query('SELECT NOT EXISTS (SELECT FROM blocks) AS "isEmpty"')) as [
    { isEmpty: boolean },
  ];
  if (isEmpty) return;
  // Nobody waits behind a concurrent build, which waits for every older transaction.
  await queryRunner.query(`SET lock_timeout = '1min'`);
  for (const [name, on] of indexes) {
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
  }
  await queryRunner.query('RESET lock_timeout');
};

/** The indexes of lists of Core's version 2. They are built while programs use the tables. */
export class IndexDetails1764910000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildUnlessEmpty(queryRunner, ADDED_INDEXES);
    await queryRunner.query(missingIndexes([...LIST_INDEXES, ...ADDED_INDEXES]));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(missingIndexes(LIST_INDEXES));
    for (const [name] of ADDED_INDEXES) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
