import { hasOutdatedForgers, type Block, type BlockRef, type Ledger } from '@roundhouse/chain';
import { IndexWriter, isRefusedRow, loadLedger, undoTo } from '@roundhouse/storage';
import type { ClientBase, Pool } from 'pg';
import { OpenBatch, RefusedBlockError, type ApplyOptions } from './open-batch.js';

/** How a drain ended. An unlinked block is an outcome, not an error. */
export type ApplyOutcome =
  /** Everything staged directly above the head is applied. */
  | { readonly kind: 'applied'; readonly head: BlockRef | null; readonly blocks: number }
  /** The staged block at `height` does not link to the head: a fork, or a range from an abandoned branch. */
  | { readonly kind: 'mismatch'; readonly height: number; readonly head: BlockRef }
  /** The block links to the head, but the ledger or the tables refuse it; everything below it is applied. */
  | { readonly kind: 'refused'; readonly block: Block; readonly reason: string };

/** Returns the blocks from `height` on, at least one; null if there are none yet. */
export type BlocksReader = (height: number) => Promise<readonly Block[] | null>;

/** Blocks could not be read. A reader returns nothing after this. */
export interface Unreadable {
  readonly error: Error;
}

const attempt = <T>(reading: Promise<T>): Promise<T | Unreadable> =>
  reading.catch((error: Error) => ({ error }));

/**
 * Yields consecutive blocks from `height` on, in runs of at most `room()`, which is called before each. The next range
 * is read while the caller works on the last one. If that read fails, its error follows the blocks before it.
 */
export async function* runs(
  read: BlocksReader,
  height: number,
  room: () => number,
): AsyncGenerator<readonly Block[] | Unreadable, void> {
  let range = await attempt(read(height));
  while (range !== null && !('error' in range)) {
    const { length } = range;
    const reading = attempt(read(range.at(-1)!.height + 1));
    for (let taken = 0; taken < length;) {
      const run: readonly Block[] = range.slice(taken, Math.min(length, taken + room()));
      taken += run.length;
      yield run;
    }
    range = await reading;
  }
  if (range !== null) yield range;
}

/** The block that cannot be applied is `block` if `isTheOne`; otherwise it is `block` or one below it. */
interface Suspect {
  readonly kind: 'suspect';
  readonly block: Block;
  readonly reason: string;
  readonly isTheOne: boolean;
}

/** The blocks ended long before the height that the source claims, so the last batch lacks before-images. */
interface NotUndoable {
  readonly kind: 'not undoable';
}

/** Null if no block is at fault. PostgreSQL gets rows of many blocks at once, so its error does not name the block. */
const suspectOf = (error: Error, newest: Block | null): Suspect | null => {
  const reason = error.message;
  if (error instanceof RefusedBlockError)
    return { kind: 'suspect', block: error.block, reason, isTheOne: true };
  if (newest === null || !isRefusedRow(error)) return null;
  return { kind: 'suspect', block: newest, reason: `PostgreSQL refuses it: ${reason}`, isTheOne: false };
};

const DEFAULT_ACCOUNT_CAPACITY = 100_000;

/**
 * The single writer: runs staged blocks through the ledger and commits them batch by batch, in order. The ledger may be
 * ahead of the commits. It writes on the connection that holds the writer's lock, so a writer that lost the lock cannot
 * commit, and reads what it needs from `reader` meanwhile. Do not call it in parallel: await each call.
 */
export class ApplyService {
  private ledger: Ledger | null = null;
  /** The newest block of the current attempt. */
  private newest: Block | null = null;

  constructor(
    private readonly client: ClientBase,
    private readonly reader: Pool | ClientBase,
    private readonly readBlocks: BlocksReader,
    private readonly options: ApplyOptions,
  ) {}

  /** Loads the ledger from the tables; returns the head, which is null before the genesis block. */
  async open(): Promise<BlockRef | null> {
    return (await this.load()).head;
  }

  /**
   * Applies everything staged directly above the head. After an error, nothing above the last commit is stored. If the
   * ledger or the tables refuse a block, everything below it is applied and the drain ends.
   */
  async drain(): Promise<ApplyOutcome> {
    const first = (this.ledger?.head ?? (await this.open()))?.height ?? 0;
    let suspect: Suspect | null = null;
    let keepsAllUndo = false;
    for (let lastHeight = Infinity; ;) {
      const outcome: ApplyOutcome | Suspect | NotUndoable = await this.attempt(lastHeight, keepsAllUndo);
      const head = (this.ledger ?? (await this.load())).head?.height ?? 0;
      keepsAllUndo = true;
      if (outcome.kind === 'not undoable') continue;
      if (outcome.kind === 'suspect') suspect = outcome;
      else if (suspect === null || outcome.kind !== 'applied' || head < lastHeight)
        return outcome.kind === 'applied' ? { ...outcome, blocks: head - first } : outcome;
      const { block, reason, isTheOne }: Suspect = suspect;
      if (block.height === head + 1) return { kind: 'refused', block, reason };
      // Bisects: each step halves the range in question and commits the good blocks in it.
      lastHeight = isTheOne ? block.height - 1 : head + Math.floor((block.height - head) / 2);
    }
  }

  /** Undoes every block above `height`. Throws the errors of the storage's `undoTo`. */
  async undoTo(height: number): Promise<BlockRef> {
    const head = this.ledger?.head ?? (await this.open());
    if (head === null || head.height <= height)
      throw new RangeError(`There is no block above ${height} to undo.`);
    this.ledger = null;
    return undoTo(this.client, head, height);
  }

  private async load(): Promise<Ledger> {
    const { client, options } = this;
    const ledger = await loadLedger(client, options.network);
    if (ledger.head === null) ledger.keepsHistory = options.keepsHistory ?? false;
    if (!hasOutdatedForgers(ledger)) return (this.ledger = ledger);
    // The last block of a round fixes the forgers of the next one: it is applied again, by the new rules.
    const { height } = ledger.head!;
    await undoTo(client, ledger.head!, height - 1);
    options.onOutdated?.(height);
    return (this.ledger = await loadLedger(client, options.network));
  }

  /** Applies what is staged up to `lastHeight`. If it fails because of a block, returns that block as a suspect. */
  private async attempt(
    lastHeight: number,
    keepsAllUndo: boolean,
  ): Promise<ApplyOutcome | Suspect | NotUndoable> {
    const isCurrent = this.ledger?.network === this.options.network;
    const ledger = this.ledger && isCurrent ? this.ledger : await this.load();
    // After an error from here on, the ledger no longer matches the tables: the next attempt loads it again.
    this.ledger = null;
    const writer = new IndexWriter(this.client, this.reader);
    this.newest = null;
    try {
      const outcome = await this.applyAll(ledger, writer, lastHeight, keepsAllUndo);
      if (outcome.kind === 'not undoable') await writer.drop();
      else this.ledger = ledger;
      return outcome;
    } catch (error) {
      await writer.drop();
      const suspect = suspectOf(error as Error, this.newest);
      if (suspect === null) throw error;
      return suspect;
    }
  }

  private async applyAll(
    ledger: Ledger,
    writer: IndexWriter,
    lastHeight: number,
    keepsAllUndo: boolean,
  ): Promise<ApplyOutcome | NotUndoable> {
    const { batchBlocks } = this.options;
    const next = (ledger.head?.height ?? 0) + 1;
    let applied = 0;
    let batch: OpenBatch | null = null;
    let keepsAll = keepsAllUndo;
    let mismatch: ApplyOutcome | null = null;
    let unreadable: Unreadable | null = null;
    const read: BlocksReader = async (height) => upTo(await this.readBlocks(height), lastHeight);
    for await (const run of runs(read, next, () => batch?.spareBlocks ?? batchBlocks)) {
      if ('error' in run) {
        unreadable = run;
        break;
      }
      const linked = linkedPart(ledger.head, run);
      if (linked.length > 0) {
        this.newest = linked.at(-1)!;
        batch ??= new OpenBatch(ledger, writer, this.options, keepsAll);
        await batch.apply(linked);
      }
      applied += linked.length;
      // The head is not null here: without a head, the first block counts as linked, so it has been applied.
      if (linked.length < run.length) {
        mismatch = { kind: 'mismatch', height: run[linked.length]!.height, head: ledger.head! };
        break;
      }
      if (batch?.isFull) {
        // If the blocks are so large that the batch grew too long before its newest blocks had before-images, all blocks
        // get them from now on.
        keepsAll ||= batch.isOverlong;
        batch.commit();
        batch = null;
        this.shrink(ledger, writer);
      }
    }
    if (batch?.isUndoable === false) return { kind: 'not undoable' };
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

const isLinked = (block: Block, previous: BlockRef | null): boolean =>
  previous === null || (block.previousBlock === previous.id && block.height === previous.height + 1);

/** The part of the run that links to `head`. */
const linkedPart = (head: BlockRef | null, run: readonly Block[]): readonly Block[] => {
  const unlinked = run.findIndex((block, place) => !isLinked(block, run[place - 1] ?? head));
  return unlinked === -1 ? run : run.slice(0, unlinked);
};

/** The blocks up to a height; null if there are none. */
export const upTo = (blocks: readonly Block[] | null, height: number): readonly Block[] | null => {
  if (blocks === null || blocks.at(-1)!.height <= height) return blocks;
  return blocks[0]!.height > height ? null : blocks.slice(0, height - blocks[0]!.height + 1);
};
