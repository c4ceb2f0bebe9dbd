import type { MigrationInterface, QueryRunner } from 'typeorm';

const DAILY_FEES = `
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
`;

const ATTRIBUTES =
  'JSON with sorted keys: the attributes business, entities and ipfs of a wallet of Core 3.9, and multiSignature if version 1 registered it. Null for most accounts.';

const WEIGHTS =
  'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.';

const DETAILS =
  'Whether accounts.attributes, the weights of rounds and daily_fees hold what every block since the genesis block has changed.';

const WITH_WEIGHTS = ['rounds', 'round_candidates', 'round_revisions'];

const COLUMNS = ['public', 'checkpoint']
  .map(
    (schema) => `
ALTER TABLE ${schema}.accounts ADD COLUMN attributes text;
COMMENT ON COLUMN ${schema}.accounts.attributes IS '${ATTRIBUTES}';
ALTER TABLE ${schema}.undo_accounts ADD COLUMN attributes text;
ALTER TABLE ${schema}.head ADD COLUMN has_details boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN ${schema}.head.has_details IS '${DETAILS}';
${WITH_WEIGHTS.map(
  (table) => `ALTER TABLE ${schema}.${table} ADD COLUMN weights bigint[];
COMMENT ON COLUMN ${schema}.${table}.weights IS '${WEIGHTS}';`,
).join('\n')}`,
  )
  .join('\n');

/** What the wallets and rounds of Core 3.9 have besides, and the fees of each day. */
export class AddDetails1764900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DAILY_FEES);
    await queryRunner.query(COLUMNS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE daily_fees');
    for (const schema of ['public', 'checkpoint']) {
      for (const table of ['accounts', 'undo_accounts'])
        await queryRunner.query(`ALTER TABLE ${schema}.${table} DROP COLUMN attributes`);
      for (const table of WITH_WEIGHTS)
        await queryRunner.query(`ALTER TABLE ${schema}.${table} DROP COLUMN weights`);
      await queryRunner.query(`ALTER TABLE ${schema}.head DROP COLUMN has_details`);
    }
  }
}
