import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A clock may go back; what the writer counts does not. */
export class AddHeadRevision1763777700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE head ADD COLUMN revision bigint NOT NULL DEFAULT 1');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE head DROP COLUMN revision');
  }
}
