/** The chains part further down than before-images are kept: the index must be made anew. */
export class UndoOutOfReachError extends Error {
  readonly code = 'UNDO_OUT_OF_REACH';

  constructor(head: number, height: number, lowest: number) {
    super(
      `To go back to height ${height}, ${head - height} blocks would have to be undone, but before-images are kept for ` +
        `${head - lowest}, down to height ${lowest}. Nothing is changed. Check that the source is the right chain; if it is, ` +
        `empty the index with "indexer reset --yes" and fill it anew with "indexer run" (a larger UNDO_DEPTH keeps more).`,
    );
    this.name = 'UndoOutOfReachError';
  }
}
