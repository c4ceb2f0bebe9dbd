/** The chains diverge below the lowest before-image. `rebuild` can make more before-images from the stored blocks. */
export class UndoOutOfReachError extends Error {
  readonly code = 'UNDO_OUT_OF_REACH';

  constructor(head: number, height: number, lowest: number) {
    super(
      `To go back to height ${height}, ${head - height} blocks would have to be undone, but before-images are kept for ` +
        `${head - lowest}, down to height ${lowest}. Nothing is changed. Check that the source is the right chain; if it is, ` +
        `stop all indexers, set UNDO_DEPTH to ${head - height} or more, run "indexer rebuild", which makes before-images from ` +
        `the stored blocks, and start again: only the blocks above height ${height} are fetched again.`,
    );
    this.name = 'UndoOutOfReachError';
  }
}
