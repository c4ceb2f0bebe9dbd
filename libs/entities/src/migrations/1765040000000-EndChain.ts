import type { MigrationInterface, QueryRunner } from 'typeorm';

const END = `
ALTER TABLE roundhouse.network ADD COLUMN proven_at timestamptz, ADD COLUMN final_height integer,
  ADD COLUMN final_id bytea, ADD COLUMN end_problem text;
COMMENT ON COLUMN roundhouse.network.final_height IS 'FINAL_HEIGHT: no block above it is applied. Null if the chain lives.';
COMMENT ON COLUMN roundhouse.network.final_id IS 'The block there, once the index has it for good: from then on no source is needed.';
COMMENT ON COLUMN roundhouse.network.proven_at IS 'When all blocks were verified. Nothing changes from then on.';
COMMENT ON COLUMN roundhouse.network.end_problem IS 'Why the end of the chain is not settled or proven.';
ALTER TABLE checkpoint.proof ADD COLUMN signatures boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN checkpoint.proof.signatures IS 'Whether the signatures of all blocks were verified, too.';
`;

/** Where a chain ends, and whether the index of it is complete and proven. */
export class EndChain1765040000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(END);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE roundhouse.network DROP COLUMN final_height, DROP COLUMN final_id, DROP COLUMN proven_at, DROP COLUMN end_problem;
       ALTER TABLE checkpoint.proof DROP COLUMN signatures`,
    );
  }
}
