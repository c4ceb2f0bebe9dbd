/** What to do with an index whose tables this version cannot read, in one sentence. */
export const OBSOLETE_INDEX =
  'The database holds an index of an older version, whose tables this version cannot read: index again, into an empty database.';

/** The tables are of a version that this one cannot migrate from. */
export class ObsoleteIndexError extends Error {
  readonly code = 'OBSOLETE_INDEX';

  constructor() {
    super(OBSOLETE_INDEX);
    this.name = 'ObsoleteIndexError';
  }
}
