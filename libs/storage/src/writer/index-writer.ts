import type { Block, BlockRecords, Ledger } from '@roundhouse/chain';
import type { ClientBase, Pool } from 'pg';
import { queryRows } from '@roundhouse/entities/sql';
import { changeSteps, feeSteps, recordSteps, type Batch, type WriteStep } from './change-steps.js';
import { MentionNumbers } from './block-rows.js';
import { copyIn, sizeOf } from './copy-in.js';
import { DailyFees } from './daily-fees.js';
import { loadWorkingSet, type ReadRows } from './load-working-set.js';
import { moveHead, notifyHead, tellHead } from './move-head.js';
import { WriteQueue } from './write-queue.js';

/**
 * How many bytes may wait for the database before the caller has to wait. The changed accounts of one batch are up to 16 MiB; with less
 * room than that, the caller stands still while PostgreSQL updates them.
 */
const PENDING_BYTES = 32 * 1024 * 1024;

const DELETE_STAGED = `DELETE FROM staged_ranges WHERE to_height <= $1`;

/**
 * Writes batches in order, each in one transaction. It moves the head only if the head is still where the batch began.
 * Rows are sent while the caller applies the next blocks, so the caller may be ahead of the last commit. After an
 * error, nothing above that commit is stored; make a new writer then.
 */
export class IndexWriter {
  private readonly queue: WriteQueue;
  private readonly read: ReadRows;
  private readonly numbers: MentionNumbers;
  private readonly fees = new DailyFees();
  private isOpen = false;
  private committed = 0;

  /**
   * Reads from `reader`, so that a read does not wait for a write. Reads need no more than what is committed: this
   * writer and its ledger hold what waits.
   */
  constructor(
    private readonly client: ClientBase,
    reader: Pool | ClientBase,
  ) {
    this.queue = new WriteQueue(client, PENDING_BYTES);
    this.read = (sql, values) => queryRows(reader, sql, values);
    this.numbers = new MentionNumbers(this.read);
  }

  /** The height of this writer's last commit; 0 before its first. */
  get committedHeight(): number {
    return this.committed;
  }

  /**
   * Loads what `blocks` will touch and the ledger does not hold. Writes that wait change only what was touched above
   * `committedHeight`, and the ledger holds all of that.
   */
  loadWorkingSet(ledger: Ledger, blocks: readonly Block[]): Promise<void> {
    return loadWorkingSet(this.read, ledger, blocks);
  }

  /**
   * Adds blocks to the open batch, or to a new one. Their rows are written after it resolves; it returns how many bytes
   * they have.
   */
  async addBlocks(blocks: readonly Block[]): Promise<number> {
    const rows = (await this.numbers.rowsOf(blocks)).filter(({ chunks }) => chunks.length > 0);
    const before = this.isOpen ? [] : ['BEGIN'];
    const size = sizeOf(rows);
    this.isOpen = true;
    for (const block of blocks) this.fees.add(block);
    void this.queue.add(() => copyIn(this.client, rows, before), size);
    return size;
  }

  /** Adds before-images, sums and history of the open batch's blocks. */
  addRecords(records: BlockRecords): void {
    this.open();
    this.addSteps(recordSteps(this.client, records));
  }

  /**
   * Ends the open batch; resolves when it is committed. Reads the changes before it returns, so the ledger may continue
   * at once. Rejects with `HeadMovedError` if the head has moved; nothing is stored then.
   */
  commit(batch: Batch): Promise<void> {
    const { from, head } = batch;
    this.open();
    this.addSteps(changeSteps(this.client, batch));
    const fees = this.fees.take();
    if (batch.changes.keepsDetails) this.addSteps(feeSteps(this.client, fees));
    void this.queue.add(() => this.client.query(DELETE_STAGED, [head.height]));
    void this.queue.add(() => notifyHead(this.client, head));
    const { delegateCount, changes } = batch;
    // Clients that follow the events also learn of other forgers of a round that has begun.
    const newest = Math.max(0, ...[...changes.rounds, ...changes.roundRevisions].map(({ round }) => round));
    void this.queue.add(() => moveHead(this.client, from, { head, delegateCount, ...changes }));
    const moved = head.height - (from?.height ?? 0);
    void this.queue.add(() => tellHead(this.client, head.height, moved, newest === 0 ? undefined : newest));
    this.isOpen = false;
    const numbersCommitted = this.numbers.mark();
    return this.queue.add(async () => {
      await this.client.query('COMMIT');
      this.committed = head.height;
      numbersCommitted();
    });
  }

  /** Resolves when there is room for more. Throws the error of a failed write. */
  room(): Promise<void> {
    return this.queue.room();
  }

  /** Resolves when everything added is written. Throws the error of a failed write. */
  async settled(): Promise<void> {
    await this.queue.add(async () => undefined);
  }

  /** Drops the open batch, if any. */
  async drop(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.fees.take();
    await this.queue.add(() => this.client.query('ROLLBACK')).catch(() => undefined);
  }

  private addSteps(steps: readonly WriteStep[]): void {
    for (const step of steps) void this.queue.add(() => step.run(), step.sizeBytes);
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    void this.queue.add(() => this.client.query('BEGIN'));
  }
}
