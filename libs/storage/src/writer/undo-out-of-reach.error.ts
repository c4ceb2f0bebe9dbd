import { adviceToReach, type UndoReach } from './undo-reach.js';

/** The chains diverge below the lowest before-image. `rebuild` can make more before-images from the stored blocks. */
export class UndoOutOfReachError extends Error {
  readonly code = 'UNDO_OUT_OF_REACH';

  constructor(height: number, reach: UndoReach) {
    const { head, lowest } = reach;
    super(
      `To go back to height ${height}, ${head.height - height} blocks would have to be undone, but before-images are kept for ` +
        `${head.height - lowest}, down to height ${lowest}. Nothing is changed. Check that the source is the right chain; if it is, ` +
        `stop all indexers, ${adviceToReach(height, reach)}. Start them with the same UNDO_DEPTH: only the blocks above ` +
        `height ${height} are fetched again.`,
    );
    this.name = 'UndoOutOfReachError';
  }
}
