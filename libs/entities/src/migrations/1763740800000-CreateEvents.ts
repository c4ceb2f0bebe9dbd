import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEvents1763740800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE events (
  sequence bigint NOT NULL,
  kind text NOT NULL CONSTRAINT events_kind_check CHECK (kind IN ('head', 'round', 'fork')),
  data json NOT NULL,
  CONSTRAINT pk_events PRIMARY KEY (sequence)
);
COMMENT ON TABLE events IS 'The changes of the head, newest last. Each move of the head adds its events and drops the oldest ones. Not part of the chain.';
COMMENT ON COLUMN events.sequence IS 'Microseconds since 1970, or one more than the previous event, so it also grows across resets and new databases.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE events');
  }
}
