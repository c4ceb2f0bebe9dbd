import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets readers judge whether the last news of the source is too old. */
export class AddSourceCheckInterval1763794800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE source_status ADD COLUMN check_interval_ms integer NOT NULL DEFAULT 1000',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE source_status DROP COLUMN check_interval_ms');
  }
}
