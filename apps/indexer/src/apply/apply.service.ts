import { applyBlock, type Block, type BlockRef, type Ledger, type Network } from '@roundhouse/chain';
import { commitBatch, loadLedger, loadWorkingSet, undoTo } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import type { ApplyOutcome, BatchReport } from './apply-outcome.js';
import { batches, type StagedBlocksReader } from './batches.js';

export interface ApplyOptions {
  readonly network: Network;
  /** Blocks a commit. */
  readonly batchBlocks: number;
  /** For how many blocks below the source's tip before-images are kept. */
  readonly undoDepth: number;
  /** The newest height that the source is known to have; 0 where it is not known. */
  readonly sourceHeight: () => number;
  readonly onBatch?: (report: BatchReport) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}

const DEFAULT_ACCOUNT_CAPACITY = 100_000;

/**
 * The single writer: runs staged blocks through the ledger and commits them batch by batch. Its connection is the
 * one that holds the writer's lock, so that a writer that lost the lock cannot commit. Not for use side by side:
 * the caller awaits each call.
 */
export class ApplyService {
  private ledger: Ledger | null = null;

  constructor(
    private readonly client: ClientBase,
    private readonly readStaged: StagedBlocksReader,
    private readonly options: ApplyOptions,
  ) {}

  /** Loads the ledger from the tables; gives the head, null before the genesis block. */
  async open(): Promise<BlockRef | null> {
    this.ledger = await loadLedger(this.client, this.options.network);
    return this.ledger.head;
  }

  /** Applies all that is staged directly above the head. After an error nothing of the batch in hand is stored. */
  async drain(): Promise<ApplyOutcome> {
    const head = this.ledger ? this.ledger.head : await this.open();
    let applied = 0;
    for await (const blocks of batches(this.readStaged, (head?.height ?? 0) + 1, this.options.batchBlocks)) {
      const linked = this.linkedPart(blocks);
      if (linked.length > 0) await this.applyBatch(linked);
      applied += linked.length;
      if (linked.length < blocks.length) return this.mismatch(blocks[linked.length]!.height);
    }
    return { kind: 'applied', head: this.ledger?.head ?? null, blocks: applied };
  }

  /** Undoes every block above `height`. Errors as `undoTo` of the storage. */
  async undoTo(height: number): Promise<BlockRef> {
    const head = this.ledger?.head ?? (await this.open());
    if (head === null || head.height <= height)
      throw new RangeError(`There is no block above ${height} to undo.`);
    this.ledger = null;
    return undoTo(this.client, head, height);
  }

  private linkedPart(blocks: readonly Block[]): readonly Block[] {
    let previous: BlockRef | null = this.ledger!.head;
    let count = 0;
    for (const block of blocks) {
      if (previous !== null && (block.previousBlock !== previous.id || block.height !== previous.height + 1))
        break;
      previous = block;
      count += 1;
    }
    return count === blocks.length ? blocks : blocks.slice(0, count);
  }

  private mismatch(height: number): ApplyOutcome {
    const { head } = this.ledger!;
    // The genesis block links to nothing, so there is a head wherever a link is missing.
    return { kind: 'mismatch', height, head: head! };
  }

  private async applyBatch(blocks: readonly Block[]): Promise<void> {
    const { ledger, options } = this;
    if (ledger === null) throw new TypeError('A batch needs an open ledger.');
    const from = ledger.head;
    // Whatever goes wrong from here on, the ledger no longer matches the tables: the next drain loads it anew.
    this.ledger = null;
    const started = performance.now();
    await loadWorkingSet(this.client, ledger, blocks);
    const loaded = performance.now();
    const firstUndo = options.sourceHeight() - options.undoDepth + 1;
    for (const block of blocks) applyBlock(ledger, block, block.height >= firstUndo);
    const appliedAt = performance.now();
    await commitBatch(this.client, {
      from,
      head: ledger.head!,
      delegateCount: ledger.delegates.size,
      blocks,
      changes: ledger.takeChanges(),
      undoDepth: options.undoDepth,
    });
    ledger.shrinkTo(options.accountCapacity ?? DEFAULT_ACCOUNT_CAPACITY);
    this.ledger = ledger;
    const unknownTypes = new Map(ledger.unknownTypes);
    ledger.unknownTypes.clear();
    options.onBatch?.({
      head: ledger.head!,
      blocks: blocks.length,
      transactions: blocks.reduce((count, block) => count + block.transactions.length, 0),
      loadMs: loaded - started,
      applyMs: appliedAt - loaded,
      commitMs: performance.now() - appliedAt,
      unknownTypes,
    });
  }
}
