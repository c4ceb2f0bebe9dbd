import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys do not compress: for each round PostgreSQL tried it and then moved the keys to a TOAST table. */
export class StoreRoundsPlain1763764800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Both settings apply to rows written from now on. A row of 100 keys still fits on a page.
    await queryRunner.query(`
ALTER TABLE rounds ALTER COLUMN forging_order SET STORAGE EXTERNAL;
ALTER TABLE rounds SET (toast_tuple_target = 8160)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE rounds RESET (toast_tuple_target);
ALTER TABLE rounds ALTER COLUMN forging_order SET STORAGE EXTENDED`);
  }
}
