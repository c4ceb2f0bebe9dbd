import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'ix_transactions__sender', columns: 'sender, block_height', where: '' },
  {
    name: 'ix_transactions__recipient',
    columns: 'recipient, block_height',
    where: 'WHERE recipient IS NOT NULL',
  },
  {
    name: 'ix_transactions__type',
    columns: 'type_group, type, block_height',
    where: 'WHERE type <> 0 OR type_group <> 1',
  },
];

/** Each index takes the place of one without `last`. It is built under another name, so there is always one to use. */
const replaceIndexes = async (queryRunner: QueryRunner, last: string): Promise<void> => {
  for (const { name, columns, where } of INDEXES) {
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_new`);
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ${name}_new ON transactions (${columns}${last}) ${where}`,
    );
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await queryRunner.query(`ALTER INDEX ${name}_new RENAME TO ${name}`);
  }
};

/** A page of a list begins at an exact place, also within a block of many transactions. */
export class AddSequenceToTransactionIndexes1764200000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await replaceIndexes(queryRunner, ', sequence');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await replaceIndexes(queryRunner, '');
  }
}
