/** Other sessions held a table that a migration needs. Earlier migrations are kept; run the rest again. */
export class MigrationBlockedError extends Error {
  readonly code = 'MIGRATION_BLOCKED';

  constructor(cause: Error) {
    super(
      'A migration could not lock a table that another session has locked: end long transactions ' +
        '(SELECT * FROM pg_stat_activity shows them) and migrate again.',
      { cause },
    );
    this.name = 'MigrationBlockedError';
  }
}
