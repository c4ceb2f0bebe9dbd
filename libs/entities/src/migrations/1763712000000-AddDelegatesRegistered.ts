import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The api looks up the newest delegate at each head. The two columns never change. */
export class AddDelegatesRegistered1763712000000 implements MigrationInterface {
  /** CONCURRENTLY, because the indexer keeps writing. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // A failed build leaves an invalid index behind.
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_delegates__registered');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ix_delegates__registered ON delegates (registered_height, registered_sequence)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY ix_delegates__registered');
  }
}
