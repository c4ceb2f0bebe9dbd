import type { BlockRef, Ledger, LedgerBlock, LedgerHead, UndoRecords } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import type { Batch } from './batch.js';
import { BLOCK_COLUMNS, TRANSACTION_COLUMNS } from './block-rows.js';
import { changeSteps, undoSteps } from './change-steps.js';
import { COPY_HEADER, COPY_TRAILER, type EncodedRows } from './copy-binary.js';
import { copyIn, type CopyRows } from './copy-in.js';
import type { EncodedBlocks } from './encoded-blocks.js';
import { HeadMovedError } from './head-moved.error.js';
import { loadWorkingSet, type RunQuery } from './load-working-set.js';
import { DELETE_STAGED_UP_TO, INSERT_HEAD, MOVE_HEAD, NOTIFY_HEAD } from './queries.js';
import { tellHead } from './tell-events.js';
import { WriteQueue } from './write-queue.js';

/** Rows that wait for the database; what comes on top of it waits with the caller. */
const PENDING_BYTES = 2 * 1024 * 1024;

const binaryRows = (table: string, columns: readonly string[], { bytes }: EncodedRows): CopyRows[] =>
  bytes.length === 0
    ? []
    : [{ table, columns, format: 'binary', chunks: [COPY_HEADER, bytes, COPY_TRAILER] }];

/**
 * Writes batches in order, each in one transaction that ends with moving the head from exactly the head that the
 * batch began with, and telling of it. Rows go out while the caller applies the next blocks, which may run ahead of what is committed:
 * after an error nothing that came behind the last commit is stored, and the writer is spent.
 */
export class IndexWriter {
  private readonly queue: WriteQueue;
  private isOpen = false;
  private committed = 0;

  constructor(private readonly client: ClientBase) {
    this.queue = new WriteQueue(client, PENDING_BYTES);
  }

  /** The height up to which all is committed by this writer; 0 before its first commit. */
  get committedHeight(): number {
    return this.committed;
  }

  /**
   * Reads what `blocks` will touch and the ledger does not hold. The ledger holds all that was touched above
   * `committedHeight`, so what is read here has no change waiting, and need not wait for any.
   */
  loadWorkingSet(ledger: Ledger, blocks: readonly LedgerBlock[]): Promise<void> {
    const query: RunQuery = (sql, values) => this.queue.addFirst(() => this.client.query(sql, values));
    return loadWorkingSet(query, ledger, blocks);
  }

  /** Adds blocks to the open batch, or to a new one. */
  addBlocks(encoded: EncodedBlocks): void {
    const rows = [
      ...binaryRows('blocks', BLOCK_COLUMNS, encoded.blockRows),
      ...binaryRows('transactions', TRANSACTION_COLUMNS, encoded.transactionRows),
    ];
    if (rows.length === 0) return;
    const before = this.isOpen ? [] : ['BEGIN'];
    this.isOpen = true;
    void this.queue.add(() => copyIn(this.client, rows, before), encoded.sizeBytes);
  }

  /** Adds what undoing the blocks of the open batch takes. */
  addUndo(records: UndoRecords): void {
    this.open();
    for (const step of undoSteps(this.client, records)) void this.queue.add(() => step.run(), step.sizeBytes);
  }

  /**
   * Ends the open batch; resolves when it is committed. Reads the changes before it returns: the ledger may go on.
   * Rejects with `HeadMovedError`, and nothing is stored, where the head is another by now.
   */
  commit(batch: Batch): Promise<void> {
    const { from, head } = batch;
    this.open();
    for (const step of changeSteps(this.client, batch)) void this.queue.add(() => step.run(), step.sizeBytes);
    void this.queue.add(() => this.client.query(DELETE_STAGED_UP_TO, [head.height]));
    void this.queue.add(() => this.client.query(NOTIFY_HEAD, [`${head.height}:${head.id}`]));
    const { delegateCount, changes } = batch;
    const newRound = changes.rounds.at(-1)?.round;
    void this.queue.add(() => this.moveHead(from, head, delegateCount));
    const moved = head.height - (from?.height ?? 0);
    void this.queue.add(() => tellHead(this.client, head.height, moved, newRound));
    this.isOpen = false;
    return this.queue.add(async () => {
      await this.client.query('COMMIT');
      this.committed = head.height;
    });
  }

  /** Resolves when there is room for more. Throws the error of a write that failed. */
  room(): Promise<void> {
    return this.queue.room();
  }

  /** Resolves when all that was added is done. Throws the error of a write that failed. */
  async settled(): Promise<void> {
    await this.queue.add(async () => undefined);
  }

  /** Drops the open batch, where there is one. */
  async drop(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.queue.add(() => this.client.query('ROLLBACK')).catch(() => undefined);
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    void this.queue.add(() => this.client.query('BEGIN'));
  }

  private async moveHead(from: BlockRef | null, head: LedgerHead, delegateCount: number): Promise<void> {
    const to = [head.height, head.id, head.timestamp, head.supply, delegateCount];
    const moved =
      from === null
        ? await this.client.query(INSERT_HEAD, to)
        : await this.client.query(MOVE_HEAD, [...to, from.height, from.id]);
    if (moved.rowCount !== 1) throw new HeadMovedError(from);
  }
}
