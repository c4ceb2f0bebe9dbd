import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRefusedBlocks1763791200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE staged_ranges ADD COLUMN source text;

CREATE UNLOGGED TABLE refused_blocks (
  height integer NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  refusals integer NOT NULL,
  contents text[] NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_refused_blocks PRIMARY KEY (height)
);
COMMENT ON TABLE refused_blocks IS 'Heights at which a source returned a block that cannot be right. Unlogged: rows lost in a crash are made again by the next refusal.';
COMMENT ON COLUMN refused_blocks.contents IS 'Hashes of the newest blocks that passed the source''s checks and were refused by the ledger or the tables.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE refused_blocks; ALTER TABLE staged_ranges DROP COLUMN source');
  }
}
