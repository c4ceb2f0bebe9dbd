import type { MigrationInterface, QueryRunner } from 'typeorm';

const RULES = `
ALTER TABLE checkpoint.proof ADD COLUMN lenient text[] NOT NULL DEFAULT '{}', ADD COLUMN most_unknown_fee bigint;
COMMENT ON COLUMN checkpoint.proof.lenient IS 'LENIENT_RULES: breaches of these were only warnings.';
COMMENT ON COLUMN checkpoint.proof.most_unknown_fee IS 'MAX_UNKNOWN_FEE. Null if an earlier version proved the checkpoint.';
`;

/** What the blocks below a checkpoint were allowed: with stricter settings they are verified again. */
export class RecordRules1765060000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(RULES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE checkpoint.proof DROP COLUMN lenient, DROP COLUMN most_unknown_fee');
  }
}
