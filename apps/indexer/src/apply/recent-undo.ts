import type { UndoRecords } from '@roundhouse/chain';

/** Rows that are held back at most: some 10 MB. What is older goes to the tables, where the commit prunes what it can. */
const MOST_HELD_ROWS = 50_000;

const rowsOf = ({ undo }: UndoRecords): number =>
  undo.reduce(
    (rows, { accounts, delegates, locks }) => rows + accounts.length + delegates.length + locks.length,
    0,
  );

/**
 * What undoing the newest blocks of a batch takes. It is held back until the batch ends, because most blocks of a long batch are
 * out of reach by then, and only blocks that are applied tell which.
 */
export class RecentUndo {
  private held: { readonly records: UndoRecords; readonly rows: number }[] = [];
  private rows = 0;

  constructor(
    private readonly undoDepth: number,
    private readonly write: (records: UndoRecords) => void,
    private readonly mostHeldRows = MOST_HELD_ROWS,
  ) {}

  /** Takes what undoing the blocks up to `head` takes, since the last call. */
  add(records: UndoRecords, head: number): void {
    const rows = rowsOf(records);
    this.held.push({ records, rows });
    this.rows += rows;
    while (this.held.length > 0 && this.isOutOfReach(this.held[0]!.records, head)) this.shift();
    while (this.held.length > 1 && this.rows > this.mostHeldRows) this.write(this.shift());
  }

  /** Writes what undoing down to `undoDepth` blocks below `head` takes. */
  flush(head: number): void {
    const lowest = head - this.undoDepth;
    for (const { records } of this.held) {
      const undo = records.undo.filter(({ height }) => height > lowest);
      const sums = records.sums.filter(({ height }) => height >= lowest);
      this.write({ undo, sums });
    }
    this.held = [];
    this.rows = 0;
  }

  private isOutOfReach({ undo, sums }: UndoRecords, head: number): boolean {
    const newest = Math.max(undo.at(-1)?.height ?? 0, sums.at(-1)?.height ?? 0);
    return newest < head - this.undoDepth;
  }

  private shift(): UndoRecords {
    const { records, rows } = this.held.shift()!;
    this.rows -= rows;
    return records;
  }
}
