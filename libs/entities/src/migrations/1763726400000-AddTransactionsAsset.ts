import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the ledger needs of an asset, so that the derived tables can be made again from the stored blocks. */
export class AddTransactionsAsset1763726400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE transactions ADD COLUMN asset json;
COMMENT ON COLUMN transactions.asset IS 'What moves accounts of it: username, votes, payments or lockTransactionId; absent in transactions of other types, and in those stored before this column was.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE transactions DROP COLUMN asset');
  }
}
