import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `indexed_at` may go back with the clock; `revision`, which the writer counts, never does. */
export class AddHeadRevision1763777700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE head ADD COLUMN revision bigint NOT NULL DEFAULT 1');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE head DROP COLUMN revision');
  }
}
