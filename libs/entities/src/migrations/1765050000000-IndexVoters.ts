import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LIST_INDEXES, missingIndexes } from './1764800000000-BuildIndexesLast.js';
import { ADDED_INDEXES, buildUnlessEmpty } from './1764910000000-IndexDetails.js';

const BEFORE = [...LIST_INDEXES, ...ADDED_INDEXES];

const NAME = 'ix_accounts__voters';
const VOTERS = [NAME, 'accounts (vote, balance DESC, number) WHERE vote IS NOT NULL'] as const;

/** With it, a page of a popular delegate's voters costs as little as one of any other delegate's. */
export class IndexVoters1765050000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildUnlessEmpty(queryRunner, [VOTERS]);
    await queryRunner.query(missingIndexes([...BEFORE, VOTERS], 'roundhouse'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(missingIndexes(BEFORE, 'roundhouse'));
    await queryRunner.query(`DROP INDEX IF EXISTS roundhouse.${NAME}`);
  }
}
