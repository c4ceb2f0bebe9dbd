import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
CREATE TABLE network (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  name text NOT NULL,
  nethash text NOT NULL,
  configuration jsonb NOT NULL
);
COMMENT ON TABLE network IS 'The configuration of the one chain of this index; the indexer writes it before the first block.';

CREATE TABLE head (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  height integer NOT NULL,
  block_id text COLLATE "C" NOT NULL,
  "timestamp" integer NOT NULL,
  supply bigint NOT NULL,
  delegate_count integer NOT NULL,
  indexed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE head IS 'The newest indexed block and the counters that belong to it; absent before the genesis block.';

CREATE TABLE source_status (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  source text NOT NULL,
  height integer NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE source_status IS 'The last answer of the source to the indexer: all that the api knows of the source.';

CREATE UNLOGGED TABLE staged_ranges (
  from_height integer PRIMARY KEY,
  to_height integer NOT NULL CHECK (to_height >= from_height),
  size_bytes integer NOT NULL,
  blocks bytea NOT NULL,
  staged_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE staged_ranges ALTER COLUMN blocks SET STORAGE EXTERNAL;
COMMENT ON TABLE staged_ranges IS 'Blocks that are fetched and checked but not applied yet. Unlogged: ranges lost in a crash are fetched again.';

CREATE TABLE blocks (
  height integer NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  "timestamp" integer NOT NULL,
  previous_block text COLLATE "C" NOT NULL,
  number_of_transactions integer NOT NULL,
  total_amount bigint NOT NULL,
  total_fee bigint NOT NULL,
  reward bigint NOT NULL,
  payload_length integer NOT NULL,
  payload_hash text COLLATE "C" NOT NULL,
  generator_public_key text COLLATE "C" NOT NULL,
  block_signature text COLLATE "C" NOT NULL,
  CONSTRAINT pk_blocks PRIMARY KEY (height)
);
CREATE UNIQUE INDEX ux_blocks__id ON blocks (id);

CREATE TABLE transactions (
  block_height integer NOT NULL,
  sequence integer NOT NULL,
  id text COLLATE "C" NOT NULL,
  type_group integer NOT NULL,
  type integer NOT NULL,
  sender_public_key text COLLATE "C" NOT NULL,
  recipient_id text COLLATE "C",
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  CONSTRAINT pk_transactions PRIMARY KEY (block_height, sequence)
);
CREATE UNIQUE INDEX ux_transactions__id ON transactions (id);

CREATE TABLE accounts (
  address text COLLATE "C" NOT NULL,
  public_key text COLLATE "C",
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  vote text COLLATE "C",
  CONSTRAINT pk_accounts PRIMARY KEY (address)
) WITH (fillfactor = 80);
CREATE INDEX ix_accounts__vote ON accounts (vote) WHERE vote IS NOT NULL;
COMMENT ON COLUMN accounts.vote IS 'The public key of the delegate that the account votes for.';

CREATE TABLE delegates (
  public_key text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  weight bigint NOT NULL,
  is_resigned boolean NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  registered_height integer NOT NULL,
  registered_sequence integer NOT NULL,
  CONSTRAINT pk_delegates PRIMARY KEY (public_key)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX ux_delegates__address ON delegates (address);
CREATE UNIQUE INDEX ux_delegates__username ON delegates (username);
COMMENT ON COLUMN delegates.weight IS 'Sum of balance + locked over the accounts that vote for the delegate.';

CREATE TABLE locks (
  transaction_id text COLLATE "C" NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT pk_locks PRIMARY KEY (transaction_id)
);
COMMENT ON TABLE locks IS 'Open HTLC locks: a claim or a refund removes the row.';

CREATE TABLE rounds (
  round integer NOT NULL,
  first_height integer NOT NULL,
  forging_order text[] NOT NULL,
  CONSTRAINT pk_rounds PRIMARY KEY (round)
);
CREATE UNIQUE INDEX ux_rounds__first_height ON rounds (first_height);
COMMENT ON COLUMN rounds.forging_order IS 'Public keys: the forger of slot s is forging_order[s mod length].';

CREATE TABLE undo_accounts (
  height integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  existed boolean NOT NULL,
  public_key text COLLATE "C",
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  vote text COLLATE "C",
  CONSTRAINT pk_undo_accounts PRIMARY KEY (height, address)
);
COMMENT ON TABLE undo_accounts IS 'Accounts as they were before the block at this height; existed is false for accounts that the block created.';

CREATE TABLE undo_delegates (
  height integer NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  existed boolean NOT NULL,
  weight bigint NOT NULL,
  is_resigned boolean NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  CONSTRAINT pk_undo_delegates PRIMARY KEY (height, public_key)
);

CREATE TABLE undo_locks (
  height integer NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  existed boolean NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT pk_undo_locks PRIMARY KEY (height, transaction_id)
);
`;

const DROPS = [
  'undo_locks',
  'undo_delegates',
  'undo_accounts',
  'rounds',
  'locks',
  'delegates',
  'accounts',
  'transactions',
  'blocks',
  'staged_ranges',
  'source_status',
  'head',
  'network',
];

export class CreateIndex1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ${DROPS.join(', ')}`);
  }
}
