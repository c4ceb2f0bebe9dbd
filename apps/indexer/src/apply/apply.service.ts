import type { BlockRef, Ledger, LedgerBlock } from '@roundhouse/chain';
import { IndexWriter, loadLedger, undoTo, type EncodedBlocks } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import type { ApplyOptions } from './apply-options.js';
import type { ApplyOutcome } from './apply-outcome.js';
import { runs, type StagedBlocksReader, type Unreadable } from './batches.js';
import { OpenBatch } from './open-batch.js';

const DEFAULT_ACCOUNT_CAPACITY = 100_000;

/**
 * The single writer: runs staged blocks through the ledger and commits them batch by batch. The ledger runs ahead of
 * the commits, which stay in order. Its connection is the one that holds the writer's lock, so that a writer that lost
 * the lock cannot commit. Not for use side by side: the caller awaits each call.
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

  /** Applies all that is staged directly above the head. After an error nothing behind the last commit is stored. */
  async drain(): Promise<ApplyOutcome> {
    if (this.ledger === null) await this.open();
    const ledger = this.ledger!;
    // Whatever goes wrong from here on, the ledger no longer matches the tables: the next drain loads it anew.
    this.ledger = null;
    const writer = new IndexWriter(this.client);
    try {
      const outcome = await this.applyAll(ledger, writer);
      this.ledger = ledger;
      return outcome;
    } catch (error) {
      await writer.drop();
      throw error;
    }
  }

  /** Undoes every block above `height`. Errors as `undoTo` of the storage. */
  async undoTo(height: number): Promise<BlockRef> {
    const head = this.ledger?.head ?? (await this.open());
    if (head === null || head.height <= height)
      throw new RangeError(`There is no block above ${height} to undo.`);
    this.ledger = null;
    return undoTo(this.client, head, height);
  }

  private async applyAll(ledger: Ledger, writer: IndexWriter): Promise<ApplyOutcome> {
    const { batchBlocks } = this.options;
    const next = (ledger.head?.height ?? 0) + 1;
    let applied = 0;
    let batch: OpenBatch | null = null;
    let mismatch: ApplyOutcome | null = null;
    let unreadable: Unreadable | null = null;
    for await (const run of runs(this.readStaged, next, () => batch?.spareBlocks ?? batchBlocks)) {
      if ('error' in run) {
        unreadable = run;
        break;
      }
      const linked = linkedPart(ledger.head, run);
      if (linked.length > 0) {
        batch ??= new OpenBatch(ledger, writer, this.options);
        await batch.apply(linked);
      }
      applied += linked.length;
      // The genesis block links to nothing, so there is a head wherever a link is missing.
      if (linked.length < run.length) {
        mismatch = { kind: 'mismatch', height: run.blocks[linked.length]!.height, head: ledger.head! };
        break;
      }
      if (batch?.isFull) {
        batch.commit();
        batch = null;
        this.shrink(ledger, writer);
      }
    }
    batch?.commit();
    await writer.settled();
    this.shrink(ledger, writer);
    if (unreadable) throw unreadable.error;
    return mismatch ?? { kind: 'applied', head: ledger.head, blocks: applied };
  }

  private shrink(ledger: Ledger, { committedHeight }: IndexWriter): void {
    ledger.shrinkTo(this.options.accountCapacity ?? DEFAULT_ACCOUNT_CAPACITY, committedHeight);
  }
}

const isLinked = (block: LedgerBlock, previous: BlockRef | null): boolean =>
  previous === null || (block.previousBlock === previous.id && block.height === previous.height + 1);

/** The run as far as it stands on `head`. */
const linkedPart = (head: BlockRef | null, run: EncodedBlocks): EncodedBlocks => {
  let previous = head;
  let count = 0;
  for (const block of run.blocks) {
    if (!isLinked(block, previous)) break;
    previous = block;
    count += 1;
  }
  return run.slice(0, count);
};
