import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATISTICS = `
CREATE TABLE roundhouse.daily_statistics (
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
COMMENT ON TABLE roundhouse.daily_statistics IS 'What the blocks of each day did; a day without blocks has no row. Empty in an index that an earlier version began.';
COMMENT ON COLUMN roundhouse.daily_statistics.day IS 'Days from 1970-01-01 to the time of its blocks, in UTC.';
COMMENT ON COLUMN roundhouse.daily_statistics.missed_slots IS 'Each is counted on the day of the next block; none before block 2.';
COMMENT ON COLUMN roundhouse.daily_statistics.volume IS 'The amounts of transactions, and of the payments in multi-payments. One coin may move often: no bound.';
COMMENT ON COLUMN roundhouse.daily_statistics.active_addresses IS 'Different senders and recipients of transactions and payments.';
COMMENT ON COLUMN roundhouse.daily_statistics.supply IS 'After the newest block of the day.';
CREATE TABLE roundhouse.undo_daily_statistics (
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
`;

const TABLES = ['daily_statistics', 'undo_daily_statistics'];

/** What the blocks of each day did. */
export class AddStatistics1765020000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(STATISTICS);
    for (const table of TABLES)
      await queryRunner.query(`CREATE TABLE checkpoint.${table} (LIKE roundhouse.${table} INCLUDING ALL)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await queryRunner.query(`DROP TABLE roundhouse.${table}, checkpoint.${table}`);
  }
}
