import type { Block, BlockRecords, Ledger, MilestoneSchedule } from '@roundhouse/chain';
import type { ClientBase, Pool } from 'pg';
import { LET_WALLETS_WAIT, MAKE_WALLETS, queryRows } from '@roundhouse/entities/sql';
import { changeSteps, feeSteps, recordSteps, type Batch } from './change-steps.js';
import { DailyFees, MentionNumbers } from './block-rows.js';
import { copyIn, sizeOf, type WriteStep } from './copy.js';
import { loadWorkingSet, type ReadRows } from './load-working-set.js';
import { moveHead, notifyHead, tellHead } from './move-head.js';
import { tellRound } from './rare-events.js';
import { tellOfBlocks, type Announced } from '../webhooks/outbox.js';

/** Which blocks webhooks are told of. */
export type Announces = (block: Block, milestones: MilestoneSchedule) => boolean;

/**
 * Runs steps on one connection, one after the other, while the caller makes the next ones. After a failed step, no
 * waiting step is run: each is rejected with the same error, and the open transaction is rolled back.
 */
class WriteQueue {
  private last: Promise<unknown> = Promise.resolve();
  /** The steps that have not ended, the oldest first. */
  private readonly waiting: Promise<unknown>[] = [];
  private pendingBytes = 0;

  constructor(
    private readonly client: ClientBase,
    private readonly limitBytes: number,
  ) {}

  /** `sizeBytes` is the memory that the step holds until it has run. */
  add<T>(work: () => Promise<T>, sizeBytes = 0): Promise<T> {
    // After a failed step, `last` is rejected, and with it all that follow.
    const done = this.last.then(async () => {
      try {
        return await work();
      } catch (error) {
        // ROLLBACK fails if the connection is lost. Report the first error, which says why.
        await this.client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
    this.last = done;
    this.waiting.push(done);
    this.pendingBytes += sizeBytes;
    const ended = (): void => {
      void this.waiting.shift();
      this.pendingBytes -= sizeBytes;
    };
    // Callers do not await most steps. The next call that waits gets the error.
    done.then(ended, ended);
    return done;
  }

  /** Resolves when less than the limit is pending. Throws the error of a failed step. */
  async room(): Promise<void> {
    while (this.pendingBytes > this.limitBytes) await this.waiting[0];
    if (this.waiting.length === 0) await this.last;
  }
}

/**
 * How many bytes may wait for the database before the caller has to wait. The changed accounts of one batch are up to 16 MiB; with less
 * room than that, the caller stands still while PostgreSQL updates them.
 */
const PENDING_BYTES = 32 * 1024 * 1024;

/** Roughly how much memory an announced block takes while it waits. */
const ANNOUNCED_BYTES = 4_000;

const HAS_WEBHOOKS = `SELECT FROM webhooks WHERE enabled LIMIT 1`;

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
  private announced: Announced[] = [];
  private isOpen = false;
  private letsWait = false;
  /** The height of this writer's last commit; 0 before its first. */
  committedHeight = 0;

  /**
   * Reads from `reader`, so that a read does not wait for a write. Reads need no more than what is committed: this
   * writer and its ledger hold what waits. `announces`: which blocks webhooks are told of.
   */
  constructor(
    private readonly client: ClientBase,
    reader: Pool | ClientBase,
    private readonly announces: Announces = () => false,
  ) {
    this.queue = new WriteQueue(client, PENDING_BYTES);
    this.read = (sql, values) => queryRows(reader, sql, values);
    this.numbers = new MentionNumbers(this.read);
  }

  /**
   * Loads what `blocks` will touch and the ledger does not hold. Writes that wait change only what was touched above
   * `committedHeight`, and the ledger holds all of that.
   */
  async loadWorkingSet(ledger: Ledger, blocks: readonly Block[]): Promise<void> {
    if (!ledger.holdsAll) await loadWorkingSet(this.read, ledger, blocks);
  }

  /**
   * Adds blocks to the open batch, or to a new one. Their rows are written after it resolves; it returns how many bytes
   * they have.
   */
  async addBlocks(blocks: readonly Block[]): Promise<number> {
    if (blocks.length === 0) return 0;
    const rows = (await this.numbers.rowsOf(blocks)).filter(({ chunks }) => chunks.length > 0);
    const before = this.isOpen ? [] : ['BEGIN'];
    const size = sizeOf(rows);
    this.isOpen = true;
    for (const block of blocks) this.fees.add(block);
    void this.queue.add(() => copyIn(this.client, rows, before), size);
    return size;
  }

  /** Notes the next block of the open batch, if webhooks are told of it. Call this before the block is applied. */
  announce(ledger: Ledger, block: Block): void {
    const { milestones, head, round, forged } = ledger;
    if (this.announces(block, milestones))
      this.announced.push({ block, ledger, before: { head, round, forged } });
  }

  /** Adds before-images, sums and history of the open batch's blocks. */
  addRecords(records: BlockRecords): void {
    this.add(recordSteps(this.client, records));
  }

  /** Adds what the batch has changed. Reads it before it returns, so the ledger may continue at once. */
  addChanges(batch: Batch): void {
    this.add(changeSteps(this.client, batch));
    const fees = this.fees.take();
    if (batch.changes.keepsDetails) this.add(feeSteps(this.client, fees));
    void this.queue.add(() => this.client.query(DELETE_STAGED, [batch.head.height]));
  }

  /** Moves the head of the tables; `commit` rejects if it has moved meanwhile. `hasNext`: a batch follows at once, so wallets wait. */
  moveHead({ from, head, delegateCount, changes }: Batch, hasNext = false): void {
    this.letsWait = hasNext;
    if (hasNext) void this.queue.add(() => this.client.query(LET_WALLETS_WAIT));
    void this.queue.add(() => moveHead(this.client, from, { head, delegateCount, ...changes }));
  }

  /**
   * Tells the readers of the head, and of a new round if the next block begins one, and the webhooks. From the move of the head
   * until the commit nobody registers: webhooks from before are told of the whole batch, and later ones of nothing.
   */
  tellReaders({ from, head, changes }: Batch): void {
    // Clients that follow the events also learn of other forgers of a round that has begun.
    const newest = Math.max(0, ...[...changes.rounds, ...changes.roundRevisions].map(({ round }) => round));
    const moved = head.height - (from?.height ?? 0);
    void this.queue.add(() => notifyHead(this.client, head));
    void this.queue.add(() => tellHead(this.client, head.height, moved));
    if (newest > 0) void this.queue.add(() => tellRound(this.client, newest));
    const { announced } = this;
    this.announced = [];
    if (announced.length === 0) return;
    const tell = async (): Promise<void> => {
      const { rowCount } = await this.client.query(HAS_WEBHOOKS);
      if (rowCount! > 0) await tellOfBlocks(this.client, announced);
    };
    void this.queue.add(tell, ANNOUNCED_BYTES * announced.length);
  }

  /** Ends the open batch; resolves when it is committed. Rejects with `HeadMovedError` if the head has moved. */
  commit({ head }: Pick<Batch, 'head'>): Promise<void> {
    this.isOpen = false;
    const numbersCommitted = this.numbers.mark();
    return this.queue.add(async () => {
      await this.client.query('COMMIT');
      this.committedHeight = head.height;
      numbersCommitted();
    });
  }

  /** Resolves when there is room for more. Throws the error of a failed write. */
  room(): Promise<void> {
    return this.queue.room();
  }

  /** Resolves when everything added is written, and nothing waits. Throws the error of a failed write. */
  async settled(): Promise<void> {
    if (this.letsWait) void this.queue.add(() => this.client.query(MAKE_WALLETS));
    this.letsWait = false;
    await this.queue.add(async () => undefined);
  }

  /** Drops the open batch, if any. Wallets that wait for it are made. Do not use the writer afterwards. */
  async drop(): Promise<void> {
    await this.queue.add(async () => this.isOpen && this.client.query('ROLLBACK')).catch(() => undefined);
    // After a failure the queue runs nothing more. If the connection is lost, report the first error.
    await this.client.query(MAKE_WALLETS).catch(() => undefined);
  }

  private add(steps: readonly WriteStep[]): void {
    if (steps.length === 0) return;
    if (!this.isOpen) void this.queue.add(() => this.client.query('BEGIN'));
    this.isOpen = true;
    for (const step of steps) void this.queue.add(() => step.run(), step.sizeBytes);
  }
}
