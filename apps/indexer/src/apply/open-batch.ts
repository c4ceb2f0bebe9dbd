import {
  admitForger,
  applyBlock,
  InvalidBlockError,
  type Block,
  type BlockRef,
  type Ledger,
  type MisplacedBlock,
  type Network,
  type RoundRevision,
} from '@roundhouse/chain';
import type { IndexWriter } from '@roundhouse/storage';
import { senderCheck } from './sender-checks.js';

export interface ApplyOptions {
  /** When this object changes, the ledger is loaded again. */
  readonly network: Network;
  /** Maximum number of blocks per commit. */
  readonly batchBlocks: number;
  /** How many blocks below the head keep before-images. */
  readonly undoDepth: number;
  /** Whether signatures under keys of the senders' accounts are verified. (Default: false) */
  readonly verifiesSignatures?: boolean;
  /**
   * The height that the source claims; 0 if unknown. While it is far above, a batch makes before-images only for its
   * last blocks. If the claim is false, the current batch is applied once more, and no before-image is lost.
   */
  readonly claimedHeight: () => number;
  /** Whether an index that begins now keeps history; any other goes on as it began. (Default: false) */
  readonly keepsHistory?: boolean;
  /**
   * Whether a block is accepted whose forger has its slot in no list, if the forger is a member of one. It resolves to
   * true only if the generator has signed the block. (Default: no such block is)
   */
  readonly acceptsMisplaced?: ((block: Block) => Promise<boolean>) | undefined;
  readonly onBatch?: (report: BatchReport) => void;
  /** Called when the block at this height was undone because new rules change the forgers of the next round. */
  readonly onOutdated?: (height: number) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}

/** One committed batch, for logs and metrics. */
export interface BatchReport {
  readonly head: BlockRef;
  readonly blocks: number;
  readonly transactions: number;
  readonly loadMs: number;
  readonly applyMs: number;
  readonly commitMs: number;
  /** Type group and type → number of transactions that this index does not know. */
  readonly unknownTypes: ReadonlyMap<string, number>;
  /** Rounds that are forged by another list than the one they began with. */
  readonly revisions: readonly RoundRevision[];
  /** Blocks whose forger has its slot in no list. */
  readonly misplaced: readonly MisplacedBlock[];
}

/** The ledger refuses this block; those below it are right. */
export class RefusedBlockError extends Error {
  constructor(
    readonly block: Block,
    cause: InvalidBlockError,
  ) {
    super(cause.message, { cause });
    this.name = 'RefusedBlockError';
  }
}

/** A crash loses what is not committed, and readers wait for it. */
const MOST_MS = 5_000;

/** Size of the rows. An account is written once per batch, however often it changed. */
const MOST_BYTES = 96 * 1024 * 1024;

/** They are held in memory until the commit. */
const MOST_CHANGED_ACCOUNTS = 100_000;

/** The current batch, from its first run of blocks to its commit. */
export class OpenBatch {
  private readonly from: BlockRef | null;
  private readonly begunAt = performance.now();
  /** From this height on, all blocks of the batch have before-images; null before the first such block. */
  private imagesFrom: number | null = null;
  private blocks = 0;
  private bytes = 0;
  private transactions = 0;
  private loadMs = 0;
  private applyMs = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly writer: IndexWriter,
    private readonly options: ApplyOptions,
    private readonly keepsAllUndo: boolean,
  ) {
    this.from = ledger.head;
  }

  /** Whether the batch should be committed now and can be. */
  get isFull(): boolean {
    return this.isUsedUp(1) && this.isUndoable;
  }

  /** Whether it can be committed: each of its newest `undoDepth` blocks has its before-images. */
  get isUndoable(): boolean {
    const { ledger, from, imagesFrom, options } = this;
    const lowest = Math.max((from?.height ?? 0) + 1, ledger.head!.height - options.undoDepth + 1);
    return imagesFrom !== null && imagesFrom <= lowest;
  }

  /** Whether the batch has grown to twice one of its limits before its newest blocks had before-images. */
  get isOverlong(): boolean {
    return this.isUsedUp(2);
  }

  /** How many more blocks fit. */
  get spareBlocks(): number {
    return this.options.batchBlocks - this.blocks;
  }

  /**
   * Applies blocks that link to the ledger's head; their rows are being written when it returns. Throws
   * `RefusedBlockError` if the ledger refuses one of them.
   */
  async apply(blocks: readonly Block[]): Promise<void> {
    const { ledger, writer, options } = this;
    await writer.room();
    const started = performance.now();
    await writer.loadWorkingSet(ledger, blocks);
    const loaded = performance.now();
    // The database handles the rows while the ledger handles the blocks.
    this.bytes += await writer.addBlocks(blocks);
    const firstUndo = this.isEnding(blocks.length) ? 0 : options.claimedHeight() - options.undoDepth + 1;
    for (const block of blocks) {
      if (block.height >= firstUndo) this.imagesFrom ??= block.height;
      await this.applyOne(block, this.imagesFrom !== null);
      this.transactions += block.numberOfTransactions;
    }
    writer.addRecords(ledger.takeRecords());
    this.blocks += blocks.length;
    this.loadMs += loaded - started;
    this.applyMs += performance.now() - loaded;
  }

  private isUsedUp(share: number): boolean {
    return (
      this.blocks >= share * this.options.batchBlocks ||
      this.bytes >= share * MOST_BYTES ||
      this.ledger.changedAccounts >= share * MOST_CHANGED_ACCOUNTS ||
      performance.now() - this.begunAt >= share * MOST_MS
    );
  }

  /** Whether the next blocks get before-images, so that the batch can be committed soon. */
  private isEnding(nextBlocks: number): boolean {
    const { batchBlocks, undoDepth } = this.options;
    return this.keepsAllUndo || this.blocks + nextBlocks > batchBlocks - undoDepth || this.isUsedUp(1);
  }

  private async applyOne(block: Block, keepsUndo: boolean): Promise<void> {
    const { ledger, options } = this;
    try {
      await this.admit(block);
      const onSender = options.verifiesSignatures ? senderCheck(ledger, block.height) : undefined;
      applyBlock(ledger, block, keepsUndo, onSender);
    } catch (error) {
      throw error instanceof InvalidBlockError ? new RefusedBlockError(block, error) : error;
    }
  }

  private async admit(block: Block): Promise<void> {
    try {
      admitForger(this.ledger, block);
    } catch (error) {
      if (!(error instanceof InvalidBlockError) || !(await this.options.acceptsMisplaced?.(block)))
        throw error;
      admitForger(this.ledger, block, 'active');
    }
  }

  /** Hands the batch over to be committed; the ledger may continue at once. */
  commit(): void {
    const { ledger, options, blocks, transactions, loadMs, applyMs } = this;
    const head = ledger.head!;
    const started = performance.now();
    const unknownTypes = new Map(ledger.unknownTypes);
    ledger.unknownTypes.clear();
    const changes = ledger.takeChanges();
    const { roundRevisions: revisions, misplacedBlocks: misplaced } = changes;
    const committed = this.writer.commit({
      from: this.from,
      head,
      delegateCount: ledger.delegates.size,
      changes,
      undoDepth: options.undoDepth,
    });
    void committed.then(
      () => {
        const commitMs = performance.now() - started;
        const times = { loadMs, applyMs, commitMs };
        options.onBatch?.({ head, blocks, transactions, ...times, unknownTypes, revisions, misplaced });
      },
      // The writer throws this error from `room`, too.
      () => undefined,
    );
  }
}
