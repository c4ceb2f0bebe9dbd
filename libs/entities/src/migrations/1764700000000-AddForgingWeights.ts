import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
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

CREATE TABLE round_candidates (
  round integer NOT NULL,
  place integer NOT NULL,
  first_height integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  CONSTRAINT pk_round_candidates PRIMARY KEY (round, place)
);
COMMENT ON TABLE round_candidates IS 'The other forgers that a round may have, for the round of the next block and of each block that undoing can reach.';
COMMENT ON COLUMN round_candidates.place IS 'From 1, in the order in which they are tried.';

CREATE TABLE round_revisions (
  height integer NOT NULL,
  round integer NOT NULL,
  first_slot integer NOT NULL,
  forgotten_claims integer NOT NULL,
  forging_order integer[] NOT NULL,
  CONSTRAINT pk_round_revisions PRIMARY KEY (height)
);
CREATE INDEX ix_round_revisions__round ON round_revisions (round);
COMMENT ON TABLE round_revisions IS 'The block at this height showed that its round is forged by these forgers, from its first block on.';

CREATE TABLE misplaced_blocks (
  height integer NOT NULL,
  round integer NOT NULL,
  CONSTRAINT pk_misplaced_blocks PRIMARY KEY (height)
);
COMMENT ON TABLE misplaced_blocks IS 'Blocks that FORGERS=active accepted although their forger has its slot in no list.';
`;

const NEW_TABLES = ['claim_drifts', 'round_candidates', 'round_revisions', 'misplaced_blocks'];

const COLUMNS = ['public', 'checkpoint']
  .map(
    (schema) => `
ALTER TABLE ${schema}.rounds ADD COLUMN first_slot integer NOT NULL DEFAULT 0, ADD COLUMN forgotten_claims integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN ${schema}.rounds.forging_order IS 'Numbers of delegates: the forger of slot s is forging_order[(s - first_slot) mod length].';
COMMENT ON COLUMN ${schema}.rounds.first_slot IS '0, except by Core 3''s rule after the number of active delegates changed.';
COMMENT ON COLUMN ${schema}.rounds.forgotten_claims IS 'How many of the first claim_drifts the weights leave out, because nodes restarted.';
COMMENT ON TABLE ${schema}.rounds IS 'The forgers of each round as its beginning fixed them. A row of round_revisions replaces them.';
ALTER TABLE ${schema}.head ADD COLUMN claims_height integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN ${schema}.head.claims_height IS 'claim_drifts holds the claims up to this height. Below the height of the head in an index that an earlier version began.';`,
  )
  .join('\n');

/** Forgers are chosen by the weights of running nodes. */
export class AddForgingWeights1764700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
    for (const table of NEW_TABLES)
      await queryRunner.query(`CREATE TABLE checkpoint.${table} (LIKE public.${table} INCLUDING ALL)`);
    await queryRunner.query(COLUMNS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const schema of ['public', 'checkpoint']) {
      await queryRunner.query(`DROP TABLE ${NEW_TABLES.map((table) => `${schema}.${table}`).join(', ')}`);
      await queryRunner.query(
        `ALTER TABLE ${schema}.rounds DROP COLUMN first_slot, DROP COLUMN forgotten_claims`,
      );
      await queryRunner.query(`ALTER TABLE ${schema}.head DROP COLUMN claims_height`);
      await queryRunner.query(`COMMENT ON TABLE ${schema}.rounds IS NULL`);
      await queryRunner.query(
        `COMMENT ON COLUMN ${schema}.rounds.forging_order IS 'Numbers of delegates: the forger of slot s is forging_order[s mod length].'`,
      );
    }
  }
}
