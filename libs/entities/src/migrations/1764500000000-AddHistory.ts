import type { MigrationInterface, QueryRunner } from 'typeorm';

const HISTORY = `
CREATE TABLE history_balances (
  balance bigint NOT NULL,
  locked bigint NOT NULL,
  account integer NOT NULL,
  height integer NOT NULL,
  CONSTRAINT pk_history_balances PRIMARY KEY (account, height)
);
COMMENT ON TABLE history_balances IS 'The amounts of an account after each block that changed them. Empty without history.';
COMMENT ON COLUMN history_balances.account IS 'Number in accounts.';

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
COMMENT ON COLUMN history_votes.address IS 'That of the account: lists of voters need it.';
COMMENT ON COLUMN history_votes.until_height IS '2147483647 while the vote lasts.';

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

CREATE TABLE history_weights (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  weights bigint[] NOT NULL,
  CONSTRAINT pk_history_weights PRIMARY KEY (height)
);
COMMENT ON TABLE history_weights IS 'The weights that the block at this height changed, or of all delegates if the height is a multiple of 500. Empty without history.';
COMMENT ON COLUMN history_weights.delegates IS 'Their numbers.';
COMMENT ON COLUMN history_weights.weights IS 'In the order of delegates.';

CREATE TABLE history_rankings (
  height integer NOT NULL,
  delegates integer[] NOT NULL,
  CONSTRAINT pk_history_rankings PRIMARY KEY (height)
);
COMMENT ON TABLE history_rankings IS 'The delegates by rank at each round end. Empty without history.';
COMMENT ON COLUMN history_rankings.delegates IS 'Their numbers.';
`;

export class AddHistory1764500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(HISTORY);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE history_balances, history_votes, history_delegates, history_weights, history_rankings',
    );
  }
}
