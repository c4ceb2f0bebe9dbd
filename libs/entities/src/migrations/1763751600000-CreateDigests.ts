import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDigests1763751600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE round_digests (
  round integer NOT NULL,
  height integer NOT NULL,
  accounts text COLLATE "C" NOT NULL,
  delegates text COLLATE "C" NOT NULL,
  locks text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  CONSTRAINT pk_round_digests PRIMARY KEY (round)
);
COMMENT ON TABLE round_digests IS 'Digests of the derived tables after the last block of each round. Two indexes with the same state have the same digests.';

CREATE TABLE state_sums (
  height integer NOT NULL,
  block_id text COLLATE "C" NOT NULL,
  accounts text COLLATE "C" NOT NULL,
  delegates text COLLATE "C" NOT NULL,
  locks text COLLATE "C" NOT NULL,
  CONSTRAINT pk_state_sums PRIMARY KEY (height)
);
COMMENT ON TABLE state_sums IS 'The sums from which round digests are computed, at the head and at each block that undoing can reach. Empty in an index that began without this table.'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE state_sums, round_digests');
  }
}
