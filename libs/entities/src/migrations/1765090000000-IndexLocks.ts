import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The attributes of a wallet have its locks. Without an index, each wallet with locks would read all of them. */
export class IndexLocks1765090000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX IF NOT EXISTS ix_locks__sender ON roundhouse.locks (sender_address)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX IF EXISTS roundhouse.ix_locks__sender');
  }
}
