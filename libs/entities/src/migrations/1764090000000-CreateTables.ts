import type { MigrationInterface, QueryRunner } from 'typeorm';

const NETWORK_AND_HEAD = `
CREATE TABLE network (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  name text NOT NULL,
  nethash text NOT NULL,
  configuration jsonb NOT NULL
);
COMMENT ON TABLE network IS 'The configuration of the one chain of this index; the indexer writes it before the first block.';

CREATE TABLE head (
  supply bigint NOT NULL,
  indexed_at timestamptz NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  height integer NOT NULL,
  "timestamp" integer NOT NULL,
  delegate_count integer NOT NULL,
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  has_history boolean NOT NULL DEFAULT false,
  block_id bytea NOT NULL
);
COMMENT ON COLUMN head.has_history IS 'Whether the history tables hold every change since the genesis block.';
COMMENT ON TABLE head IS 'The newest indexed block and the counters that belong to it; absent before the genesis block.';
`;

const BLOCKS = `
CREATE TABLE public_keys (
  number integer NOT NULL,
  height integer NOT NULL,
  value bytea NOT NULL,
  CONSTRAINT pk_public_keys PRIMARY KEY (number)
);
CREATE UNIQUE INDEX ux_public_keys__value ON public_keys (value);
COMMENT ON TABLE public_keys IS 'Generators and senders of the stored blocks, numbered from 1 in the order in which the blocks mention them, a block before its transactions. height is that of the first mention.';

CREATE TABLE addresses (
  number integer NOT NULL,
  height integer NOT NULL,
  value text COLLATE "C" NOT NULL,
  CONSTRAINT pk_addresses PRIMARY KEY (number)
);
CREATE UNIQUE INDEX ux_addresses__value ON addresses (value);
COMMENT ON TABLE addresses IS 'Recipients of the stored transactions and of the payments in them, numbered as in public_keys; a transaction before its payments.';

CREATE TABLE blocks (
  total_amount bigint,
  total_fee bigint,
  reward bigint NOT NULL,
  height integer NOT NULL,
  version integer NOT NULL,
  "timestamp" integer NOT NULL,
  number_of_transactions integer,
  payload_length integer,
  generator integer NOT NULL,
  id bytea NOT NULL,
  payload_hash bytea,
  block_signature bytea NOT NULL,
  CONSTRAINT pk_blocks PRIMARY KEY (height) WITH (fillfactor = 100),
  CONSTRAINT ux_blocks__id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX ix_blocks__generator ON blocks (generator, (height >> 10));
COMMENT ON COLUMN blocks.generator IS 'Number in public_keys.';
COMMENT ON COLUMN blocks.number_of_transactions IS 'Null means 0.';
COMMENT ON COLUMN blocks.total_amount IS 'Null means 0.';
COMMENT ON COLUMN blocks.total_fee IS 'Null means 0.';
COMMENT ON COLUMN blocks.payload_length IS 'Null means 0.';
COMMENT ON COLUMN blocks.payload_hash IS 'Null means e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, the SHA-256 of nothing.';
COMMENT ON COLUMN blocks.block_signature IS '64 bytes that do not begin with 0 are r and s of an ECDSA signature; a leading 0 is not part of the signature.';

CREATE TABLE transactions (
  nonce bigint,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  expiration bigint,
  block_height integer NOT NULL,
  sequence integer NOT NULL,
  version integer,
  type_group integer NOT NULL,
  type integer NOT NULL,
  "timestamp" integer,
  sender integer NOT NULL,
  recipient integer,
  network smallint,
  id bytea NOT NULL,
  vendor_field bytea,
  asset json,
  signature bytea,
  second_signature bytea,
  signatures bytea[],
  CONSTRAINT pk_transactions PRIMARY KEY (block_height, sequence) WITH (fillfactor = 100),
  CONSTRAINT ux_transactions__id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX ix_transactions__sender ON transactions (sender, block_height);
CREATE INDEX ix_transactions__recipient ON transactions (recipient, block_height) WHERE recipient IS NOT NULL;
-- Most transactions are transfers: the newest ones are found without an index.
CREATE INDEX ix_transactions__type ON transactions (type_group, type, block_height, sequence) WHERE type <> 0 OR type_group <> 1;
COMMENT ON COLUMN transactions.version IS 'Null means 2.';
COMMENT ON COLUMN transactions."timestamp" IS 'As signed. Null if the transaction has a nonce.';
COMMENT ON COLUMN transactions.sender IS 'Number in public_keys.';
COMMENT ON COLUMN transactions.recipient IS 'Number in addresses.';
COMMENT ON COLUMN transactions.expiration IS 'A height. Null if the transaction does not expire.';
COMMENT ON COLUMN transactions.vendor_field IS 'The signed bytes, which need not be UTF-8.';
COMMENT ON COLUMN transactions.asset IS 'Null for types that have none. Amounts are decimal text.';
COMMENT ON COLUMN transactions.signature IS 'As blocks.block_signature.';
COMMENT ON COLUMN transactions.second_signature IS 'As blocks.block_signature.';
COMMENT ON COLUMN transactions.signatures IS 'Those of the members of a multi-signature account.';

CREATE TABLE payments (
  recipient integer NOT NULL,
  block_height integer NOT NULL,
  sequence integer NOT NULL,
  CONSTRAINT pk_payments PRIMARY KEY (recipient, block_height, sequence)
);
COMMENT ON TABLE payments IS 'The multi-payments that pay an address, once each. The payments themselves are in the asset of the transaction.';
COMMENT ON COLUMN payments.recipient IS 'Number in addresses.';
`;

const STATE = `
CREATE TABLE accounts (
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  number integer NOT NULL,
  nonce integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  public_key bytea,
  vote bytea,
  second_public_key bytea,
  multi_signature bytea,
  CONSTRAINT pk_accounts PRIMARY KEY (address)
) WITH (fillfactor = 80);
CREATE INDEX ix_accounts__vote ON accounts (vote) WHERE vote IS NOT NULL;
CREATE INDEX ix_accounts__balance ON accounts (balance DESC, number);
COMMENT ON COLUMN accounts.number IS 'Counts the accounts in the order in which blocks first touch them, from 1.';
COMMENT ON COLUMN accounts.vote IS 'The public key of the delegate that the account votes for.';
COMMENT ON COLUMN accounts.nonce IS 'How many transactions the account has sent.';
COMMENT ON COLUMN accounts.multi_signature IS 'The members of a multi-signature account: one byte for how many must sign, then their keys of 33 bytes.';

CREATE TABLE delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  number integer NOT NULL,
  last_rank integer NOT NULL DEFAULT 0,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  registered_height integer NOT NULL,
  registered_sequence integer NOT NULL,
  is_resigned boolean NOT NULL,
  public_key bytea NOT NULL,
  address text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  CONSTRAINT pk_delegates PRIMARY KEY (public_key)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX ux_delegates__address ON delegates (address);
CREATE UNIQUE INDEX ux_delegates__username ON delegates (username);
CREATE UNIQUE INDEX ux_delegates__number ON delegates (number);
CREATE INDEX ix_delegates__rank ON delegates (is_resigned, weight DESC, public_key);
COMMENT ON COLUMN delegates.number IS 'Counts the registrations of the chain, from 1.';
COMMENT ON COLUMN delegates.last_rank IS 'The rank with which the delegate resigned, that of the last round end; 0 if it has not, or had none.';
COMMENT ON COLUMN delegates.weight IS 'Sum of balance + locked over the accounts that vote for the delegate.';

CREATE TABLE locks (
  amount bigint NOT NULL,
  transaction_id bytea NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  CONSTRAINT pk_locks PRIMARY KEY (transaction_id)
);
COMMENT ON TABLE locks IS 'Open HTLC locks: a claim or a refund removes the row.';

CREATE TABLE rounds (
  round integer NOT NULL,
  first_height integer NOT NULL,
  forging_order integer[] NOT NULL,
  CONSTRAINT pk_rounds PRIMARY KEY (round)
);
CREATE UNIQUE INDEX ux_rounds__first_height ON rounds (first_height);
COMMENT ON COLUMN rounds.forging_order IS 'Numbers of delegates: the forger of slot s is forging_order[s mod length].';

CREATE TABLE rankings (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  CONSTRAINT pk_rankings PRIMARY KEY (height)
);
COMMENT ON TABLE rankings IS 'The delegates by rank at the last round end of the head, and of each block that undoing can reach. height is that of the last block of a round.';
COMMENT ON COLUMN rankings.delegates IS 'Their numbers.';

CREATE TABLE round_digests (
  round integer NOT NULL,
  height integer NOT NULL,
  accounts bytea NOT NULL,
  delegates bytea NOT NULL,
  locks bytea NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT pk_round_digests PRIMARY KEY (round)
);
COMMENT ON TABLE round_digests IS 'Digests of the derived tables after the last block of each round. Two indexes with the same state have the same digests.';

CREATE TABLE state_sums (
  height integer NOT NULL,
  block_id bytea NOT NULL,
  accounts bytea NOT NULL,
  delegates bytea NOT NULL,
  locks bytea NOT NULL,
  CONSTRAINT pk_state_sums PRIMARY KEY (height)
);
COMMENT ON TABLE state_sums IS 'The sums from which round digests are computed, at the head and at each block that undoing can reach. Empty in an index that began without this table.';
`;

const BEFORE_IMAGES = `
CREATE TABLE undo_accounts (
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  height integer NOT NULL,
  nonce integer NOT NULL,
  existed boolean NOT NULL,
  address text COLLATE "C" NOT NULL,
  public_key bytea,
  vote bytea,
  second_public_key bytea,
  multi_signature bytea,
  CONSTRAINT pk_undo_accounts PRIMARY KEY (height, address)
);
COMMENT ON TABLE undo_accounts IS 'Accounts as they were before the block at this height; existed is false for accounts that the block created.';

CREATE TABLE undo_delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  height integer NOT NULL,
  last_rank integer NOT NULL DEFAULT 0,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  existed boolean NOT NULL,
  is_resigned boolean NOT NULL,
  public_key bytea NOT NULL,
  CONSTRAINT pk_undo_delegates PRIMARY KEY (height, public_key)
);

CREATE TABLE undo_locks (
  amount bigint NOT NULL,
  height integer NOT NULL,
  existed boolean NOT NULL,
  transaction_id bytea NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  CONSTRAINT pk_undo_locks PRIMARY KEY (height, transaction_id)
);
`;

const SOURCE = `
CREATE TABLE source_status (
  checked_at timestamptz NOT NULL DEFAULT now(),
  height integer NOT NULL,
  check_interval_ms integer NOT NULL DEFAULT 1000,
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  source text NOT NULL
);
COMMENT ON TABLE source_status IS 'The last answer of the source to the indexer: all that the api knows of the source.';

CREATE UNLOGGED TABLE staged_ranges (
  staged_at timestamptz NOT NULL DEFAULT now(),
  from_height integer PRIMARY KEY,
  to_height integer NOT NULL CHECK (to_height >= from_height),
  size_bytes integer NOT NULL,
  blocks bytea NOT NULL,
  source text
);
ALTER TABLE staged_ranges ALTER COLUMN blocks SET STORAGE EXTERNAL;
COMMENT ON TABLE staged_ranges IS 'Blocks that are fetched and checked but not applied yet. Unlogged: ranges lost in a crash are fetched again.';

CREATE UNLOGGED TABLE refused_blocks (
  refused_at timestamptz NOT NULL DEFAULT now(),
  height integer NOT NULL,
  refusals integer NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  contents text[] NOT NULL,
  CONSTRAINT pk_refused_blocks PRIMARY KEY (height)
);
COMMENT ON TABLE refused_blocks IS 'Heights at which a source returned a block that cannot be right. Unlogged: rows lost in a crash are made again by the next refusal.';
COMMENT ON COLUMN refused_blocks.contents IS 'Hashes of the newest blocks that passed the source''s checks and were refused by the ledger or the tables.';
`;

const EVENTS = `
CREATE TABLE events (
  sequence bigint NOT NULL,
  kind text NOT NULL CONSTRAINT events_kind_check CHECK (kind IN ('head', 'round', 'fork')),
  data json NOT NULL,
  CONSTRAINT pk_events PRIMARY KEY (sequence)
);
COMMENT ON TABLE events IS 'The changes of the head, newest last. Each move of the head adds its events and drops the oldest ones. Not part of the chain.';
COMMENT ON COLUMN events.sequence IS 'Microseconds since 1970, or one more than the previous event, so it also grows across resets and new databases.';
`;

export class CreateTables1764090000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [NETWORK_AND_HEAD, BLOCKS, STATE, BEFORE_IMAGES, SOURCE, EVENTS])
      await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DROP TABLE events, refused_blocks, staged_ranges, source_status, undo_locks, undo_delegates, undo_accounts,
  state_sums, round_digests, rankings, rounds, locks, delegates, accounts, payments, transactions, blocks, addresses, public_keys,
  head, network`);
  }
}
