/** The rows are not those that the head and the digests of the index or of the snapshot stand for. */
export class SnapshotMismatchError extends Error {
  readonly code = 'SNAPSHOT_MISMATCH';

  constructor(problem: string) {
    super(problem);
    this.name = 'SnapshotMismatchError';
  }
}
