/** The chains part further down than before-images are kept: the index must be made anew. */
export class UndoOutOfReachError extends Error {
  readonly code = 'UNDO_OUT_OF_REACH';

  constructor(height: number, lowest: number) {
    super(
      `Blocks down to height ${height} would have to be undone, but before-images reach down to ${lowest} only. ` +
        `Check that the source is the right chain; if it is, empty the index with "indexer reset --yes" and index anew ` +
        `(a larger UNDO_DEPTH keeps more).`,
    );
    this.name = 'UndoOutOfReachError';
  }
}
