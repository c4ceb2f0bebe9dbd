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
COMMENT ON TABLE events IS 'What became of the head, newest last; written with each move of it, and the oldest dropped. No part of the chain.';
COMMENT ON COLUMN events.sequence IS 'Microseconds since 1970, or one more than the event before: it grows over resets and new databases, too.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE events');
  }
}
