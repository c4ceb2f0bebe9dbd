import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of `GET /api/accounts`. */
export class AddBalanceIndex1764100000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_accounts__balance');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_accounts__balance ON accounts (balance DESC, address)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_accounts__balance');
  }
}
