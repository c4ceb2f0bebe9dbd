import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores what the ledger needs of an asset, so that `rebuild` can compute the derived tables from the stored blocks. */
export class AddTransactionsAsset1763726400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE transactions ADD COLUMN asset json;
COMMENT ON COLUMN transactions.asset IS 'The part of the asset that changes accounts: username, votes, payments or lockTransactionId. Null for other types, and for transactions stored before this column existed.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE transactions DROP COLUMN asset');
  }
}
