-- The tables after all migrations and after a first sync. Made by `npm run generate` from a migrated database.

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
  attributes text,
  CONSTRAINT pk_accounts PRIMARY KEY (address)
) WITH (fillfactor=80);
CREATE INDEX ix_accounts__attributes ON accounts (number) WHERE attributes IS NOT NULL;
CREATE INDEX ix_accounts__balance ON accounts (balance DESC, number);
CREATE INDEX ix_accounts__vote ON accounts (vote) WHERE vote IS NOT NULL;
CREATE INDEX ix_accounts__voters ON accounts (vote, balance DESC, number) WHERE vote IS NOT NULL;
COMMENT ON COLUMN accounts.number IS 'Counts the accounts in the order in which blocks first touch them, from 1.';
COMMENT ON COLUMN accounts.nonce IS 'How many transactions the account has sent.';
COMMENT ON COLUMN accounts.vote IS 'The public key of the delegate that the account votes for.';
COMMENT ON COLUMN accounts.multi_signature IS 'The members of a multi-signature account: one byte for how many must sign, then their keys of 33 bytes.';
COMMENT ON COLUMN accounts.attributes IS 'JSON with sorted keys: the attributes business, entities and ipfs of a wallet of Core 3.9, and multiSignature if version 1 registered it. Null for most accounts.';

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
  CONSTRAINT pk_blocks PRIMARY KEY (height) WITH (fillfactor=100),
  CONSTRAINT ux_blocks__id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX ix_blocks__generator ON blocks (generator, (height >> 10));
COMMENT ON COLUMN blocks.total_amount IS 'Null means 0.';
COMMENT ON COLUMN blocks.total_fee IS 'Null means 0.';
COMMENT ON COLUMN blocks.number_of_transactions IS 'Null means 0.';
COMMENT ON COLUMN blocks.payload_length IS 'Null means 0.';
COMMENT ON COLUMN blocks.generator IS 'Number in public_keys.';
COMMENT ON COLUMN blocks.payload_hash IS 'Null means e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, the SHA-256 of nothing.';
COMMENT ON COLUMN blocks.block_signature IS '64 bytes that do not begin with 0 are r and s of an ECDSA signature; a leading 0 is not part of the signature.';

CREATE TABLE certificate_pages (
  height integer NOT NULL,
  page integer NOT NULL,
  first_address text COLLATE "C" NOT NULL,
  root bytea NOT NULL,
  leaves text[] NOT NULL,
  CONSTRAINT pk_certificate_pages PRIMARY KEY (height, page)
);
COMMENT ON TABLE certificate_pages IS 'The leaves of the trees of certificates by address, 256 to a row.';
COMMENT ON COLUMN certificate_pages.page IS 'From 0.';
COMMENT ON COLUMN certificate_pages.first_address IS 'That of the first leaf.';
COMMENT ON COLUMN certificate_pages.root IS 'The root over the leaves of this row.';

CREATE TABLE certificates (
  height integer NOT NULL,
  document text NOT NULL,
  CONSTRAINT pk_certificates PRIMARY KEY (height)
);
COMMENT ON TABLE certificates IS 'The certificates that were made. Undoing a block removes those of its height and above.';
COMMENT ON COLUMN certificates.document IS 'The bytes of its file.';

CREATE TABLE claim_drifts (
  amount bigint NOT NULL,
  number integer NOT NULL,
  height integer NOT NULL,
  loser integer,
  winner integer,
  CONSTRAINT pk_claim_drifts PRIMARY KEY (number)
);
COMMENT ON TABLE claim_drifts IS 'Claims of locks by others than their recipients: a running node adds the amount to the weight of the wrong delegate, and chooses forgers by these weights until it restarts.';
COMMENT ON COLUMN claim_drifts.number IS 'Counts the rows in the order of the claims, from 1.';
COMMENT ON COLUMN claim_drifts.loser IS 'Number of the delegate that the recipient of the lock voted for.';
COMMENT ON COLUMN claim_drifts.winner IS 'Number of the delegate that the sender of the claim voted for.';

CREATE TABLE daily_fees (
  min_fee bigint NOT NULL,
  max_fee bigint NOT NULL,
  sum_fee bigint NOT NULL,
  day integer NOT NULL,
  type_group integer NOT NULL,
  type integer NOT NULL,
  first_height integer NOT NULL,
  count integer NOT NULL,
  CONSTRAINT pk_daily_fees PRIMARY KEY (day, type_group, type)
);
COMMENT ON TABLE daily_fees IS 'The fees of each type of transaction on each day. Empty unless head.has_details.';
COMMENT ON COLUMN daily_fees.day IS 'The timestamp of the block / 86400.';
COMMENT ON COLUMN daily_fees.first_height IS 'The first block of the day with such a transaction.';

CREATE TABLE daily_statistics (
  fees bigint NOT NULL,
  rewards bigint NOT NULL,
  supply bigint NOT NULL,
  day integer NOT NULL,
  first_height integer NOT NULL,
  blocks integer NOT NULL,
  missed_slots integer NOT NULL,
  transactions integer NOT NULL,
  active_addresses integer NOT NULL,
  new_accounts integer NOT NULL,
  volume numeric NOT NULL,
  CONSTRAINT pk_daily_statistics PRIMARY KEY (day)
);
COMMENT ON TABLE daily_statistics IS 'What the blocks of each day did; a day without blocks has no row. Empty in an index that an earlier version began.';
COMMENT ON COLUMN daily_statistics.supply IS 'After the newest block of the day.';
COMMENT ON COLUMN daily_statistics.day IS 'Days from 1970-01-01 to the time of its blocks, in UTC.';
COMMENT ON COLUMN daily_statistics.missed_slots IS 'Each is counted on the day of the next block; none before block 2.';
COMMENT ON COLUMN daily_statistics.active_addresses IS 'Different senders and recipients of transactions and payments.';
COMMENT ON COLUMN daily_statistics.volume IS 'The amounts of transactions, and of the payments in multi-payments. One coin may move often: no bound.';

CREATE TABLE delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  number integer NOT NULL,
  last_rank integer DEFAULT 0 NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  registered_height integer NOT NULL,
  registered_sequence integer NOT NULL,
  is_resigned boolean NOT NULL,
  public_key bytea NOT NULL,
  address text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  CONSTRAINT pk_delegates PRIMARY KEY (public_key)
) WITH (fillfactor=50);
CREATE INDEX ix_delegates__rank ON delegates (is_resigned, weight DESC, public_key);
CREATE UNIQUE INDEX ux_delegates__address ON delegates (address);
CREATE UNIQUE INDEX ux_delegates__number ON delegates (number);
CREATE UNIQUE INDEX ux_delegates__username ON delegates (username);
COMMENT ON COLUMN delegates.weight IS 'Sum of balance + locked over the accounts that vote for the delegate.';
COMMENT ON COLUMN delegates.number IS 'Counts the registrations of the chain, from 1.';
COMMENT ON COLUMN delegates.last_rank IS 'The rank with which the delegate resigned, that of the last round end; 0 if it has not, or had none.';

CREATE TABLE events (
  sequence bigint NOT NULL,
  kind text NOT NULL,
  data json NOT NULL,
  CONSTRAINT pk_events PRIMARY KEY (sequence),
  CONSTRAINT events_kind_check CHECK (kind = ANY (ARRAY['head'::text, 'round'::text, 'fork'::text]))
);
COMMENT ON TABLE events IS 'The changes of the head, newest last. Each move of the head adds its events and drops the oldest ones. Not part of the chain.';
COMMENT ON COLUMN events.sequence IS 'Microseconds since 1970, or one more than the previous event, so it also grows across resets and new databases.';

CREATE TABLE head (
  supply bigint NOT NULL,
  indexed_at timestamp with time zone DEFAULT now() NOT NULL,
  revision bigint DEFAULT 1 NOT NULL,
  height integer NOT NULL,
  "timestamp" integer NOT NULL,
  delegate_count integer NOT NULL,
  id smallint DEFAULT 1 NOT NULL,
  has_history boolean DEFAULT false NOT NULL,
  block_id bytea NOT NULL,
  claims_height integer DEFAULT 0 NOT NULL,
  has_details boolean DEFAULT false NOT NULL,
  CONSTRAINT head_pkey PRIMARY KEY (id),
  CONSTRAINT head_id_check CHECK (id = 1)
);
COMMENT ON TABLE head IS 'The newest indexed block and the counters that belong to it; absent before the genesis block.';
COMMENT ON COLUMN head.has_history IS 'Whether the history tables hold every change since the genesis block.';
COMMENT ON COLUMN head.claims_height IS 'claim_drifts holds the claims up to this height. Below the height of the head in an index that an earlier version began.';
COMMENT ON COLUMN head.has_details IS 'Whether accounts.attributes, the weights of rounds and daily_fees hold what every block since the genesis block has changed.';

CREATE TABLE history_balances (
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  account integer NOT NULL,
  height integer NOT NULL,
  CONSTRAINT pk_history_balances PRIMARY KEY (account, height)
);
COMMENT ON TABLE history_balances IS 'The amounts of an account after each block that changed them. Empty without history.';
COMMENT ON COLUMN history_balances.account IS 'Number in accounts.';

CREATE TABLE history_delegates (
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  delegate integer NOT NULL,
  height integer NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  is_resigned boolean NOT NULL,
  CONSTRAINT pk_history_delegates PRIMARY KEY (delegate, height)
);
COMMENT ON TABLE history_delegates IS 'The values of a delegate, except for its weight, after each block that changed one of them. Empty without history.';
COMMENT ON COLUMN history_delegates.delegate IS 'Number in delegates.';

CREATE TABLE history_rankings (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  CONSTRAINT pk_history_rankings PRIMARY KEY (height)
);
COMMENT ON TABLE history_rankings IS 'The delegates by rank at each round end. Empty without history.';
COMMENT ON COLUMN history_rankings.delegates IS 'Their numbers.';

CREATE TABLE history_votes (
  account integer NOT NULL,
  from_height integer NOT NULL,
  until_height integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  vote bytea NOT NULL,
  CONSTRAINT pk_history_votes PRIMARY KEY (account, from_height)
);
CREATE INDEX ix_history_votes__vote ON history_votes (vote, from_height);
COMMENT ON TABLE history_votes IS 'The account voted for the delegate with this public key after the blocks from from_height to until_height - 1. Empty without history.';
COMMENT ON COLUMN history_votes.account IS 'Number in accounts.';
COMMENT ON COLUMN history_votes.until_height IS '2147483647 while the vote lasts.';
COMMENT ON COLUMN history_votes.address IS 'That of the account: lists of voters need it.';

CREATE TABLE history_weights (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  weights bigint[] NOT NULL,
  CONSTRAINT pk_history_weights PRIMARY KEY (height)
);
COMMENT ON TABLE history_weights IS 'The weights that the block at this height changed, or of all delegates if the height is a multiple of 500. Empty without history.';
COMMENT ON COLUMN history_weights.delegates IS 'Their numbers.';
COMMENT ON COLUMN history_weights.weights IS 'In the order of delegates.';

CREATE TABLE locks (
  amount bigint NOT NULL,
  transaction_id bytea NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  CONSTRAINT pk_locks PRIMARY KEY (transaction_id)
);
CREATE INDEX ix_locks__sender ON locks (sender_address);
COMMENT ON TABLE locks IS 'Open HTLC locks: a claim or a refund removes the row.';

CREATE TABLE misplaced_blocks (
  height integer NOT NULL,
  round integer NOT NULL,
  CONSTRAINT pk_misplaced_blocks PRIMARY KEY (height)
);
COMMENT ON TABLE misplaced_blocks IS 'Blocks that FORGERS=active accepted although their forger has its slot in no list.';

CREATE TABLE network (
  id smallint DEFAULT 1 NOT NULL,
  name text NOT NULL,
  nethash text NOT NULL,
  configuration jsonb NOT NULL,
  proven_at timestamp with time zone,
  final_height integer,
  final_id bytea,
  end_problem text,
  CONSTRAINT network_pkey PRIMARY KEY (id),
  CONSTRAINT network_id_check CHECK (id = 1)
);
COMMENT ON TABLE network IS 'The configuration of the one chain of this index; the indexer writes it before the first block.';
COMMENT ON COLUMN network.proven_at IS 'When all blocks were verified. Nothing changes from then on.';
COMMENT ON COLUMN network.final_height IS 'FINAL_HEIGHT: no block above it is applied. Null if the chain lives.';
COMMENT ON COLUMN network.final_id IS 'The block there, once the index has it for good: from then on no source is needed.';
COMMENT ON COLUMN network.end_problem IS 'Why the end of the chain is not settled or proven.';

CREATE TABLE payments (
  recipient integer NOT NULL,
  block_height integer NOT NULL,
  sequence integer NOT NULL,
  CONSTRAINT pk_payments PRIMARY KEY (recipient, block_height, sequence)
);
COMMENT ON TABLE payments IS 'The multi-payments that pay an address, once each. The payments themselves are in the asset of the transaction.';
COMMENT ON COLUMN payments.recipient IS 'Number in addresses.';

CREATE TABLE public_keys (
  number integer NOT NULL,
  height integer NOT NULL,
  value bytea NOT NULL,
  CONSTRAINT pk_public_keys PRIMARY KEY (number)
);
CREATE UNIQUE INDEX ux_public_keys__value ON public_keys (value);
COMMENT ON TABLE public_keys IS 'Generators and senders of the stored blocks, numbered from 1 in the order in which the blocks mention them, a block before its transactions. height is that of the first mention.';

CREATE TABLE rankings (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  CONSTRAINT pk_rankings PRIMARY KEY (height)
);
COMMENT ON TABLE rankings IS 'The delegates by rank at the last round end of the head, and of each block that undoing can reach. height is that of the last block of a round.';
COMMENT ON COLUMN rankings.delegates IS 'Their numbers.';

CREATE UNLOGGED TABLE refused_blocks (
  refused_at timestamp with time zone DEFAULT now() NOT NULL,
  height integer NOT NULL,
  refusals integer NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  contents text[] NOT NULL,
  CONSTRAINT pk_refused_blocks PRIMARY KEY (height)
);
COMMENT ON TABLE refused_blocks IS 'Heights at which a source returned a block that cannot be right. Unlogged: rows lost in a crash are made again by the next refusal.';
COMMENT ON COLUMN refused_blocks.contents IS 'Hashes of the newest blocks that passed the source''s checks and were refused by the ledger or the tables.';

CREATE TABLE round_candidates (
  round integer NOT NULL,
  place integer NOT NULL,
  first_height integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  weights bigint[],
  CONSTRAINT pk_round_candidates PRIMARY KEY (round, place)
);
COMMENT ON TABLE round_candidates IS 'The other forgers that a round may have, for the round of the next block and of each block that undoing can reach.';
COMMENT ON COLUMN round_candidates.place IS 'From 1, in the order in which they are tried.';
COMMENT ON COLUMN round_candidates.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

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

CREATE TABLE round_revisions (
  height integer NOT NULL,
  round integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  weights bigint[],
  CONSTRAINT pk_round_revisions PRIMARY KEY (height)
);
CREATE INDEX ix_round_revisions__round ON round_revisions (round);
COMMENT ON TABLE round_revisions IS 'The block at this height showed that its round is forged by these forgers, from its first block on.';
COMMENT ON COLUMN round_revisions.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

CREATE TABLE rounds (
  round integer NOT NULL,
  first_height integer NOT NULL,
  forging_order integer[] NOT NULL,
  first_slot integer DEFAULT 0 NOT NULL,
  forgotten_claims integer DEFAULT 0 NOT NULL,
  weights bigint[],
  CONSTRAINT pk_rounds PRIMARY KEY (round)
);
CREATE UNIQUE INDEX ux_rounds__first_height ON rounds (first_height);
COMMENT ON TABLE rounds IS 'The forgers of each round as its beginning fixed them. A row of round_revisions replaces them.';
COMMENT ON COLUMN rounds.forging_order IS 'Numbers of delegates: the forger of slot s is forging_order[(s - first_slot) mod length].';
COMMENT ON COLUMN rounds.first_slot IS '0, except by Core 3''s rule after the number of active delegates changed.';
COMMENT ON COLUMN rounds.forgotten_claims IS 'How many of the first claim_drifts the weights leave out, because nodes restarted.';
COMMENT ON COLUMN rounds.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

CREATE TABLE source_status (
  checked_at timestamp with time zone DEFAULT now() NOT NULL,
  height integer NOT NULL,
  check_interval_ms integer DEFAULT 1000 NOT NULL,
  id smallint DEFAULT 1 NOT NULL,
  source text NOT NULL,
  CONSTRAINT source_status_pkey PRIMARY KEY (id),
  CONSTRAINT source_status_id_check CHECK (id = 1)
);
COMMENT ON TABLE source_status IS 'The last answer of the source to the indexer: all that the api knows of the source.';

CREATE UNLOGGED TABLE staged_ranges (
  staged_at timestamp with time zone DEFAULT now() NOT NULL,
  from_height integer NOT NULL,
  to_height integer NOT NULL,
  size_bytes integer NOT NULL,
  blocks bytea NOT NULL,
  source text,
  CONSTRAINT staged_ranges_pkey PRIMARY KEY (from_height),
  CONSTRAINT staged_ranges_check CHECK (to_height >= from_height)
);
ALTER TABLE staged_ranges ALTER COLUMN blocks SET STORAGE EXTERNAL;
COMMENT ON TABLE staged_ranges IS 'Blocks that are fetched and checked but not applied yet. Unlogged: ranges lost in a crash are fetched again.';

CREATE TABLE state_sums (
  height integer NOT NULL,
  block_id bytea NOT NULL,
  accounts bytea NOT NULL,
  delegates bytea NOT NULL,
  locks bytea NOT NULL,
  CONSTRAINT pk_state_sums PRIMARY KEY (height)
);
COMMENT ON TABLE state_sums IS 'The sums from which round digests are computed, at the head and at each block that undoing can reach. Empty in an index that began without this table.';

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
  CONSTRAINT pk_transactions PRIMARY KEY (block_height, sequence) WITH (fillfactor=100),
  CONSTRAINT ux_transactions__id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX ix_transactions__recipient ON transactions (recipient, block_height) WHERE recipient IS NOT NULL;
CREATE INDEX ix_transactions__sender ON transactions (sender, block_height);
CREATE INDEX ix_transactions__type ON transactions (type_group, type, block_height, sequence) WHERE type <> 0 OR type_group <> 1;
CREATE INDEX ix_transactions__unlocked ON transactions ((asset ->> 'lockTransactionId'::text)) WHERE type_group = 1 AND (type = ANY (ARRAY[9, 10]));
COMMENT ON COLUMN transactions.expiration IS 'A height. Null if the transaction does not expire.';
COMMENT ON COLUMN transactions.version IS 'Null means 2.';
COMMENT ON COLUMN transactions."timestamp" IS 'As signed. Null if the transaction has a nonce.';
COMMENT ON COLUMN transactions.sender IS 'Number in public_keys.';
COMMENT ON COLUMN transactions.recipient IS 'Number in addresses.';
COMMENT ON COLUMN transactions.vendor_field IS 'The signed bytes, which need not be UTF-8.';
COMMENT ON COLUMN transactions.asset IS 'Null for types that have none. Amounts are decimal text.';
COMMENT ON COLUMN transactions.signature IS 'As blocks.block_signature.';
COMMENT ON COLUMN transactions.second_signature IS 'As blocks.block_signature.';
COMMENT ON COLUMN transactions.signatures IS 'Those of the members of a multi-signature account.';

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
  attributes text,
  CONSTRAINT pk_undo_accounts PRIMARY KEY (height, address)
);
COMMENT ON TABLE undo_accounts IS 'Accounts as they were before the block at this height; existed is false for accounts that the block created.';

CREATE TABLE undo_daily_statistics (
  fees bigint NOT NULL,
  rewards bigint NOT NULL,
  supply bigint NOT NULL,
  height integer NOT NULL,
  day integer NOT NULL,
  blocks integer NOT NULL,
  missed_slots integer NOT NULL,
  transactions integer NOT NULL,
  active_addresses integer NOT NULL,
  new_accounts integer NOT NULL,
  existed boolean NOT NULL,
  volume numeric NOT NULL,
  CONSTRAINT pk_undo_daily_statistics PRIMARY KEY (height, day)
);

CREATE TABLE undo_delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  height integer NOT NULL,
  last_rank integer DEFAULT 0 NOT NULL,
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

CREATE TABLE webhook_events (
  sequence bigint NOT NULL,
  event text NOT NULL,
  data text,
  CONSTRAINT pk_webhook_events PRIMARY KEY (sequence)
);
CREATE INDEX ix_webhook_events__event ON webhook_events (event, sequence);
COMMENT ON TABLE webhook_events IS 'Events that wait for webhooks, written by the transaction that moves the head. Not part of the chain: a reset keeps it.';
COMMENT ON COLUMN webhook_events.data IS 'JSON as it is posted; null if the event has none.';

CREATE TABLE webhooks (
  delivered bigint NOT NULL,
  dropped bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  retry_at timestamp with time zone,
  failures integer NOT NULL,
  enabled boolean NOT NULL,
  id text NOT NULL,
  event text NOT NULL,
  target text NOT NULL,
  conditions json NOT NULL,
  token text NOT NULL,
  token_rest bytea NOT NULL,
  told_height integer,
  told_nethash text,
  CONSTRAINT pk_webhooks PRIMARY KEY (id)
);
COMMENT ON TABLE webhooks IS 'Who is told of events, and how far. Not part of the chain: a reset keeps it.';
COMMENT ON COLUMN webhooks.delivered IS 'The sequence of the last event that was posted, or that it did not ask for.';
COMMENT ON COLUMN webhooks.dropped IS 'Events that waited for it and were dropped, because too many waited.';
COMMENT ON COLUMN webhooks.retry_at IS 'When the next event is posted again. Null unless the last post failed.';
COMMENT ON COLUMN webhooks.failures IS 'Posts that failed since the last one that was accepted.';
COMMENT ON COLUMN webhooks.token IS 'The first half of the token, which each post carries.';
COMMENT ON COLUMN webhooks.token_rest IS 'SHA-256 of the other half, which is stored nowhere.';
COMMENT ON COLUMN webhooks.told_height IS 'The head when the index was reset: it is told of no block up to it again. Null before a reset.';
COMMENT ON COLUMN webhooks.told_nethash IS 'The chain of told_height.';

CREATE TABLE checkpoint.accounts (
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  number integer NOT NULL,
  nonce integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  public_key bytea,
  vote bytea,
  second_public_key bytea,
  multi_signature bytea,
  attributes text,
  CONSTRAINT accounts_pkey PRIMARY KEY (address)
);
CREATE INDEX accounts_vote_idx ON checkpoint.accounts (vote) WHERE vote IS NOT NULL;
COMMENT ON COLUMN checkpoint.accounts.number IS 'Counts the accounts in the order in which blocks first touch them, from 1.';
COMMENT ON COLUMN checkpoint.accounts.nonce IS 'How many transactions the account has sent.';
COMMENT ON COLUMN checkpoint.accounts.vote IS 'The public key of the delegate that the account votes for.';
COMMENT ON COLUMN checkpoint.accounts.multi_signature IS 'The members of a multi-signature account: one byte for how many must sign, then their keys of 33 bytes.';
COMMENT ON COLUMN checkpoint.accounts.attributes IS 'JSON with sorted keys: the attributes business, entities and ipfs of a wallet of Core 3.9, and multiSignature if version 1 registered it. Null for most accounts.';

CREATE TABLE checkpoint.claim_drifts (
  amount bigint NOT NULL,
  number integer NOT NULL,
  height integer NOT NULL,
  loser integer,
  winner integer,
  CONSTRAINT claim_drifts_pkey PRIMARY KEY (number)
);
COMMENT ON COLUMN checkpoint.claim_drifts.number IS 'Counts the rows in the order of the claims, from 1.';
COMMENT ON COLUMN checkpoint.claim_drifts.loser IS 'Number of the delegate that the recipient of the lock voted for.';
COMMENT ON COLUMN checkpoint.claim_drifts.winner IS 'Number of the delegate that the sender of the claim voted for.';

CREATE TABLE checkpoint.daily_statistics (
  fees bigint NOT NULL,
  rewards bigint NOT NULL,
  supply bigint NOT NULL,
  day integer NOT NULL,
  first_height integer NOT NULL,
  blocks integer NOT NULL,
  missed_slots integer NOT NULL,
  transactions integer NOT NULL,
  active_addresses integer NOT NULL,
  new_accounts integer NOT NULL,
  volume numeric NOT NULL,
  CONSTRAINT daily_statistics_pkey PRIMARY KEY (day)
);
COMMENT ON COLUMN checkpoint.daily_statistics.supply IS 'After the newest block of the day.';
COMMENT ON COLUMN checkpoint.daily_statistics.day IS 'Days from 1970-01-01 to the time of its blocks, in UTC.';
COMMENT ON COLUMN checkpoint.daily_statistics.missed_slots IS 'Each is counted on the day of the next block; none before block 2.';
COMMENT ON COLUMN checkpoint.daily_statistics.active_addresses IS 'Different senders and recipients of transactions and payments.';
COMMENT ON COLUMN checkpoint.daily_statistics.volume IS 'The amounts of transactions, and of the payments in multi-payments. One coin may move often: no bound.';

CREATE TABLE checkpoint.delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  number integer NOT NULL,
  last_rank integer DEFAULT 0 NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  registered_height integer NOT NULL,
  registered_sequence integer NOT NULL,
  is_resigned boolean NOT NULL,
  public_key bytea NOT NULL,
  address text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  CONSTRAINT delegates_pkey PRIMARY KEY (public_key)
);
CREATE UNIQUE INDEX delegates_address_idx ON checkpoint.delegates (address);
CREATE UNIQUE INDEX delegates_number_idx ON checkpoint.delegates (number);
CREATE UNIQUE INDEX delegates_username_idx ON checkpoint.delegates (username);
COMMENT ON COLUMN checkpoint.delegates.weight IS 'Sum of balance + locked over the accounts that vote for the delegate.';
COMMENT ON COLUMN checkpoint.delegates.number IS 'Counts the registrations of the chain, from 1.';
COMMENT ON COLUMN checkpoint.delegates.last_rank IS 'The rank with which the delegate resigned, that of the last round end; 0 if it has not, or had none.';

CREATE TABLE checkpoint.head (
  supply bigint NOT NULL,
  indexed_at timestamp with time zone DEFAULT now() NOT NULL,
  revision bigint DEFAULT 1 NOT NULL,
  height integer NOT NULL,
  "timestamp" integer NOT NULL,
  delegate_count integer NOT NULL,
  id smallint DEFAULT 1 NOT NULL,
  has_history boolean DEFAULT false NOT NULL,
  block_id bytea NOT NULL,
  claims_height integer DEFAULT 0 NOT NULL,
  has_details boolean DEFAULT false NOT NULL,
  CONSTRAINT head_pkey PRIMARY KEY (id),
  CONSTRAINT head_id_check CHECK (id = 1)
);
COMMENT ON COLUMN checkpoint.head.has_history IS 'Whether the history tables hold every change since the genesis block.';
COMMENT ON COLUMN checkpoint.head.claims_height IS 'claim_drifts holds the claims up to this height. Below the height of the head in an index that an earlier version began.';
COMMENT ON COLUMN checkpoint.head.has_details IS 'Whether accounts.attributes, the weights of rounds and daily_fees hold what every block since the genesis block has changed.';

CREATE TABLE checkpoint.last_verification (
  id smallint DEFAULT 1 NOT NULL,
  finished_at timestamp with time zone DEFAULT now() NOT NULL,
  from_height integer NOT NULL,
  height integer NOT NULL,
  problem text,
  CONSTRAINT last_verification_pkey PRIMARY KEY (id),
  CONSTRAINT last_verification_id_check CHECK (id = 1)
);
COMMENT ON TABLE checkpoint.last_verification IS 'The last verification that finished: the blocks above from_height up to height, and what it found; problem is null if nothing.';

CREATE TABLE checkpoint.locks (
  amount bigint NOT NULL,
  transaction_id bytea NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  CONSTRAINT locks_pkey PRIMARY KEY (transaction_id)
);

CREATE TABLE checkpoint.misplaced_blocks (
  height integer NOT NULL,
  round integer NOT NULL,
  CONSTRAINT misplaced_blocks_pkey PRIMARY KEY (height)
);

CREATE TABLE checkpoint.proof (
  id smallint DEFAULT 1 NOT NULL,
  public_keys integer NOT NULL,
  addresses integer NOT NULL,
  configuration jsonb NOT NULL,
  signatures boolean DEFAULT false NOT NULL,
  lenient text[] DEFAULT '{}'::text[] NOT NULL,
  most_unknown_fee bigint,
  CONSTRAINT proof_pkey PRIMARY KEY (id),
  CONSTRAINT proof_id_check CHECK (id = 1)
);
COMMENT ON TABLE checkpoint.proof IS 'What belongs to the block of checkpoint.head: how many keys and addresses the blocks up to it mention, and the configuration of the network that proved it.';
COMMENT ON COLUMN checkpoint.proof.signatures IS 'Whether the signatures of all blocks were verified, too.';
COMMENT ON COLUMN checkpoint.proof.lenient IS 'LENIENT_RULES: breaches of these were only warnings.';
COMMENT ON COLUMN checkpoint.proof.most_unknown_fee IS 'MAX_UNKNOWN_FEE. Null if an earlier version proved the checkpoint.';

CREATE TABLE checkpoint.rankings (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  CONSTRAINT rankings_pkey PRIMARY KEY (height)
);
COMMENT ON COLUMN checkpoint.rankings.delegates IS 'Their numbers.';

CREATE TABLE checkpoint.round_candidates (
  round integer NOT NULL,
  place integer NOT NULL,
  first_height integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  weights bigint[],
  CONSTRAINT round_candidates_pkey PRIMARY KEY (round, place)
);
COMMENT ON COLUMN checkpoint.round_candidates.place IS 'From 1, in the order in which they are tried.';
COMMENT ON COLUMN checkpoint.round_candidates.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

CREATE TABLE checkpoint.round_digests (
  round integer NOT NULL,
  height integer NOT NULL,
  accounts bytea NOT NULL,
  delegates bytea NOT NULL,
  locks bytea NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT round_digests_pkey PRIMARY KEY (round)
);

CREATE TABLE checkpoint.round_revisions (
  height integer NOT NULL,
  round integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  weights bigint[],
  CONSTRAINT round_revisions_pkey PRIMARY KEY (height)
);
CREATE INDEX round_revisions_round_idx ON checkpoint.round_revisions (round);
COMMENT ON COLUMN checkpoint.round_revisions.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

CREATE TABLE checkpoint.rounds (
  round integer NOT NULL,
  first_height integer NOT NULL,
  forging_order integer[] NOT NULL,
  first_slot integer DEFAULT 0 NOT NULL,
  forgotten_claims integer DEFAULT 0 NOT NULL,
  weights bigint[],
  CONSTRAINT rounds_pkey PRIMARY KEY (round)
);
CREATE UNIQUE INDEX rounds_first_height_idx ON checkpoint.rounds (first_height);
COMMENT ON TABLE checkpoint.rounds IS 'The forgers of each round as its beginning fixed them. A row of round_revisions replaces them.';
COMMENT ON COLUMN checkpoint.rounds.forging_order IS 'Numbers of delegates: the forger of slot s is forging_order[(s - first_slot) mod length].';
COMMENT ON COLUMN checkpoint.rounds.first_slot IS '0, except by Core 3''s rule after the number of active delegates changed.';
COMMENT ON COLUMN checkpoint.rounds.forgotten_claims IS 'How many of the first claim_drifts the weights leave out, because nodes restarted.';
COMMENT ON COLUMN checkpoint.rounds.weights IS 'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

CREATE TABLE checkpoint.state_sums (
  height integer NOT NULL,
  block_id bytea NOT NULL,
  accounts bytea NOT NULL,
  delegates bytea NOT NULL,
  locks bytea NOT NULL,
  CONSTRAINT state_sums_pkey PRIMARY KEY (height)
);

CREATE TABLE checkpoint.undo_accounts (
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
  attributes text,
  CONSTRAINT undo_accounts_pkey PRIMARY KEY (height, address)
);

CREATE TABLE checkpoint.undo_daily_statistics (
  fees bigint NOT NULL,
  rewards bigint NOT NULL,
  supply bigint NOT NULL,
  height integer NOT NULL,
  day integer NOT NULL,
  blocks integer NOT NULL,
  missed_slots integer NOT NULL,
  transactions integer NOT NULL,
  active_addresses integer NOT NULL,
  new_accounts integer NOT NULL,
  existed boolean NOT NULL,
  volume numeric NOT NULL,
  CONSTRAINT undo_daily_statistics_pkey PRIMARY KEY (height, day)
);

CREATE TABLE checkpoint.undo_delegates (
  weight bigint NOT NULL,
  forged_fees bigint NOT NULL,
  forged_rewards bigint NOT NULL,
  height integer NOT NULL,
  last_rank integer DEFAULT 0 NOT NULL,
  produced_blocks integer NOT NULL,
  missed_blocks integer NOT NULL,
  existed boolean NOT NULL,
  is_resigned boolean NOT NULL,
  public_key bytea NOT NULL,
  CONSTRAINT undo_delegates_pkey PRIMARY KEY (height, public_key)
);

CREATE TABLE checkpoint.undo_locks (
  amount bigint NOT NULL,
  height integer NOT NULL,
  existed boolean NOT NULL,
  transaction_id bytea NOT NULL,
  sender_address text COLLATE "C" NOT NULL,
  recipient_address text COLLATE "C" NOT NULL,
  CONSTRAINT undo_locks_pkey PRIMARY KEY (height, transaction_id)
);

CREATE FUNCTION roundhouse.build_missing_index()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  missing record;
BEGIN
  PERFORM pg_advisory_xact_lock(7466504);
  SELECT * INTO missing FROM roundhouse.missing_indexes() LIMIT 1;
  IF to_regclass('roundhouse.' || missing.name) IS NOT NULL THEN
    EXECUTE 'DROP INDEX roundhouse.' || missing.name;
  ELSIF missing.name IS NOT NULL THEN
    EXECUTE missing.statement;
  END IF;
  RETURN missing.name;
END
$function$;
COMMENT ON FUNCTION build_missing_index() IS 'Builds the first of missing_indexes(), or drops it if it is invalid. Returns its name, or null if none is missing.';

CREATE FUNCTION roundhouse.missing_indexes()
 RETURNS TABLE(name text, statement text)
 LANGUAGE sql
 STABLE
AS $function$
SELECT listed.name, listed.statement FROM (VALUES
  (0, 'ix_accounts__balance', 'CREATE INDEX ix_accounts__balance ON roundhouse.accounts (balance DESC, number)'),
  (1, 'ix_blocks__generator', 'CREATE INDEX ix_blocks__generator ON roundhouse.blocks (generator, (height >> 10))'),
  (2, 'ix_transactions__sender', 'CREATE INDEX ix_transactions__sender ON roundhouse.transactions (sender, block_height)'),
  (3, 'ix_transactions__recipient', 'CREATE INDEX ix_transactions__recipient ON roundhouse.transactions (recipient, block_height) WHERE recipient IS NOT NULL'),
  (4, 'ix_transactions__type', 'CREATE INDEX ix_transactions__type ON roundhouse.transactions (type_group, type, block_height, sequence) WHERE type <> 0 OR type_group <> 1'),
  (5, 'ix_accounts__attributes', 'CREATE INDEX ix_accounts__attributes ON roundhouse.accounts (number) WHERE attributes IS NOT NULL'),
  (6, 'ix_transactions__unlocked', 'CREATE INDEX ix_transactions__unlocked ON roundhouse.transactions ((asset ->> ''lockTransactionId'')) WHERE type_group = 1 AND type IN (9, 10)'),
  (7, 'ix_accounts__voters', 'CREATE INDEX ix_accounts__voters ON roundhouse.accounts (vote, balance DESC, number) WHERE vote IS NOT NULL')
) AS listed (place, name, statement)
WHERE NOT EXISTS (
  SELECT FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = listed.name AND c.relnamespace = 'roundhouse'::regnamespace AND i.indisvalid)
ORDER BY listed.place
$function$;
COMMENT ON FUNCTION missing_indexes() IS 'The indexes that only lists of the api read and that are not there, or not valid. An index lacks them until it has nearly reached its source for the first time.';
