import type { MigrationInterface, QueryRunner } from 'typeorm';

const COPIES = [
  'head',
  'accounts',
  'delegates',
  'locks',
  'rounds',
  'rankings',
  'undo_accounts',
  'undo_delegates',
  'undo_locks',
  'round_digests',
  'state_sums',
];

/** They serve lists of the api, and the api reads no copies. */
const INDEXES_OF_READERS = [
  'checkpoint.accounts_balance_number_idx',
  'checkpoint.delegates_is_resigned_weight_public_key_idx',
];

const PROOF = `
CREATE TABLE checkpoint.proof (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  public_keys integer NOT NULL,
  addresses integer NOT NULL,
  configuration jsonb NOT NULL
);
COMMENT ON TABLE checkpoint.proof IS 'What belongs to the block of checkpoint.head: how many keys and addresses the blocks up to it mention, and the configuration of the network that proved it.';

CREATE TABLE checkpoint.last_verification (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  finished_at timestamptz NOT NULL DEFAULT now(),
  from_height integer NOT NULL,
  height integer NOT NULL,
  problem text
);
COMMENT ON TABLE checkpoint.last_verification IS 'The last verification that finished: the blocks above from_height up to height, and what it found; problem is null if nothing.';
`;

export class AddCheckpoint1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SCHEMA checkpoint');
    for (const table of COPIES)
      await queryRunner.query(`CREATE TABLE checkpoint.${table} (LIKE public.${table} INCLUDING ALL)`);
    await queryRunner.query(`DROP INDEX ${INDEXES_OF_READERS.join(', ')}`);
    await queryRunner.query(PROOF);
    await queryRunner.query(
      `COMMENT ON SCHEMA checkpoint IS 'The derived tables as they were after one block, computed from the stored blocks. Absent while checkpoint.head has no row.'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SCHEMA checkpoint CASCADE');
  }
}
