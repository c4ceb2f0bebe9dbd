import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOLD = `
ALTER TABLE roundhouse.webhooks ADD COLUMN told_height integer, ADD COLUMN told_nethash text;
COMMENT ON COLUMN roundhouse.webhooks.told_height IS 'The head when the index was reset: it is told of no block up to it again. Null before a reset.';
COMMENT ON COLUMN roundhouse.webhooks.told_nethash IS 'The chain of told_height.';
`;

/** A reset keeps the webhooks, and an index of the same chain has the same blocks again. */
export class KeepToldHeights1765080000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TOLD);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE roundhouse.webhooks DROP COLUMN told_height, DROP COLUMN told_nethash',
    );
  }
}
