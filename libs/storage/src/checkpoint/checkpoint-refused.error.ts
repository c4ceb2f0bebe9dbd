/** The checkpoint does not fit the index. One of the two is damaged, and only the stored blocks tell which. */
export class CheckpointRefusedError extends Error {
  readonly code = 'CHECKPOINT_REFUSED';

  constructor(
    readonly height: number,
    problem: string,
  ) {
    super(
      `The checkpoint at block ${height} cannot be used: ${problem} Run "indexer verify --from-genesis": it needs no ` +
        `checkpoint, finds what is damaged, and makes a new one.`,
    );
    this.name = 'CheckpointRefusedError';
  }
}
