import type { Block, BlockRef, Ledger, RuleName, Warned } from '@roundhouse/chain';
import type { Batch } from '@roundhouse/storage';
import type { ApplyOptions, BatchReport } from './apply-options.js';

/** A crash loses what is not committed, and readers wait for it. */
const MOST_MS = 5_000;

/** Size of the rows. An account is written once per batch, however often it changed. */
const MOST_BYTES = 96 * 1024 * 1024;

/** They are held in memory until the commit. */
const MOST_CHANGED_ACCOUNTS = 100_000;

const NO_WARNINGS: ReadonlyMap<RuleName, Warned> = new Map();

/** The open batch: how much it holds, and when it may end. */
export class OpenBatch {
  private readonly from: BlockRef | null;
  /** When its first blocks came: a reader that is slow to begin makes no batch old. */
  private begunAt = 0;
  private lapBegunAt = 0;
  private loadMs = 0;
  private applyMs = 0;
  private blocks = 0;
  private bytes = 0;
  private transactions = 0;
  private isEnding = false;
  private report: Omit<BatchReport, 'commitMs'> | null = null;
  /** From this height on, all blocks of the batch have before-images; null before the first such block. */
  private imagesFrom: number | null = null;

  constructor(
    private readonly ledger: Ledger,
    private readonly options: ApplyOptions,
    private readonly keepsAllUndo: boolean,
  ) {
    this.from = ledger.head;
  }

  get isEmpty(): boolean {
    return this.blocks === 0;
  }

  /** How many more blocks fit. */
  get spareBlocks(): number {
    return this.options.batchBlocks - this.blocks;
  }

  /** Whether it should be committed now and can be. */
  get isFull(): boolean {
    return this.isUsedUp(1) && this.isUndoable;
  }

  /** Whether it can be committed: each of its newest `undoDepth` blocks has its before-images. */
  get isUndoable(): boolean {
    const { ledger, from, imagesFrom, options } = this;
    const lowest = Math.max((from?.height ?? 0) + 1, ledger.head!.height - options.undoDepth + 1);
    return imagesFrom !== null && imagesFrom <= lowest;
  }

  begin(): void {
    this.lapBegunAt = performance.now();
    if (this.isEmpty) this.begunAt = this.lapBegunAt;
  }

  loaded(): void {
    this.loadMs += this.lap();
  }

  /** Counts blocks that are about to be applied, with the bytes of their rows. */
  add(blocks: readonly Block[], bytes: number): void {
    const { batchBlocks, undoDepth } = this.options;
    this.blocks += blocks.length;
    this.bytes += bytes;
    for (const { numberOfTransactions } of blocks) this.transactions += numberOfTransactions;
    // Its last blocks get before-images, so that it can be committed soon.
    this.isEnding = this.keepsAllUndo || this.blocks > batchBlocks - undoDepth || this.isUsedUp(1);
  }

  /** Whether the next block gets before-images. */
  keepsUndo(height: number): boolean {
    const { claimedHeight, undoDepth } = this.options;
    if (this.isEnding || height > claimedHeight() - undoDepth) this.imagesFrom ??= height;
    return this.imagesFrom !== null;
  }

  applied(): void {
    this.applyMs += this.lap();
  }

  /** What is to be written at its end. The ledger may continue at once. */
  close(): Batch {
    const { ledger, options, from, blocks, transactions, loadMs, applyMs } = this;
    const head = ledger.head!;
    const changes = ledger.takeChanges();
    const { roundRevisions: revisions, misplacedBlocks: misplaced } = changes;
    const unknownTypes = new Map(ledger.unknownTypes);
    ledger.unknownTypes.clear();
    const { rules } = options;
    const warned = rules && rules.warned.size > 0 ? rules.takeWarnings() : NO_WARNINGS;
    this.report = { head, blocks, transactions, loadMs, applyMs, unknownTypes, revisions, misplaced, warned };
    this.lap();
    return { from, head, delegateCount: ledger.delegates.size, changes, undoDepth: options.undoDepth };
  }

  reportAfter(commit: Promise<void>): void {
    void commit.then(
      () => this.options.onBatch?.({ ...this.report!, commitMs: this.lap() }),
      // The writer throws this error from `room`, too.
      () => undefined,
    );
  }

  /** The batch after this one. If this one grew too long before its newest blocks had before-images, all of its blocks get them. */
  next(): OpenBatch {
    return new OpenBatch(this.ledger, this.options, this.keepsAllUndo || this.isUsedUp(2));
  }

  private lap(): number {
    const begun = this.lapBegunAt;
    this.lapBegunAt = performance.now();
    return this.lapBegunAt - begun;
  }

  /** Whether it has reached this many times one of its limits. */
  private isUsedUp(times: number): boolean {
    return (
      this.blocks >= times * this.options.batchBlocks ||
      this.bytes >= times * MOST_BYTES ||
      this.ledger.changedAccounts >= times * MOST_CHANGED_ACCOUNTS ||
      performance.now() - this.begunAt >= times * MOST_MS
    );
  }
}
