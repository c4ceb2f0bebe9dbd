import { senderCheck } from '@roundhouse/blocks';
import { applyBlock, hasOutdatedForgers, type Block, type BlockRef, type Ledger } from '@roundhouse/chain';
import { IndexWriter, loadLedger, undoTo } from '@roundhouse/storage';
import type { ClientBase, Pool } from 'pg';
import type { ApplyOptions, ApplyOutcome } from './apply-options.js';
import { checkForger } from './check-forger.js';
import { isolate, suspectOf, type Suspect } from './isolate.js';
import { OpenBatch } from './open-batch.js';

/** Returns the blocks from `height` on, at least one; null if there are none yet. */
type ReadBlocks = (height: number) => Promise<readonly Block[] | null>;

/**
 * Takes consecutive blocks in runs. The next range is read while the caller works on the last one. If that read fails,
 * its error follows the blocks before it.
 */
class BlockTaker {
  private range: readonly Block[] = [];
  private reading: Promise<readonly Block[] | null | Error>;

  constructor(
    private readonly read: ReadBlocks,
    height: number,
  ) {
    this.reading = read(height).catch((error: Error) => error);
  }

  /** Null if none follow. */
  async take(mostBlocks: number): Promise<readonly Block[] | null | Error> {
    if (this.range.length === 0) {
      const range = await this.reading;
      if (range === null || range instanceof Error) return range;
      this.range = range;
      this.reading = this.read(range.at(-1)!.height + 1).catch((error: Error) => error);
    }
    const blocks = this.range.slice(0, mostBlocks);
    this.range = this.range.slice(mostBlocks);
    return blocks;
  }
}

const isLinked = (block: Block, previous: BlockRef | null): boolean =>
  previous === null || (block.previousBlock === previous.id && block.height === previous.height + 1);

/** The blocks of a run up to the first that does not link to the one before it. Without a head, any block is the first. */
const linkedTo = (head: BlockRef | null, run: readonly Block[]): readonly Block[] => {
  const unlinked = run.findIndex((block, place) => !isLinked(block, run[place - 1] ?? head));
  return unlinked === -1 ? run : run.slice(0, unlinked);
};

/** The blocks up to a height; null if there are none. */
export const upTo = (blocks: readonly Block[] | null, height: number): readonly Block[] | null => {
  const first = blocks?.[0]?.height;
  return first === undefined || first > height ? null : blocks!.slice(0, height - first + 1);
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
  /** The block that the ledger has in hand. */
  private inHand: Block | null = null;

  constructor(
    private readonly client: ClientBase,
    private readonly reader: Pool | ClientBase,
    private readonly readBlocks: ReadBlocks,
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
    const outcome = (await this.attempt(Infinity)) ?? (await this.attemptWithAllUndo(Infinity));
    return outcome.kind === 'suspect'
      ? isolate(outcome, {
          height: async () => (this.ledger ?? (await this.load())).head?.height ?? 0,
          applyUpTo: (height) => this.attemptWithAllUndo(height),
        })
      : outcome;
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

  /** Every block gets before-images, so no batch lacks them. */
  private async attemptWithAllUndo(lastHeight: number): Promise<ApplyOutcome | Suspect> {
    return (await this.attempt(lastHeight, true))!;
  }

  /**
   * Applies what is staged up to `lastHeight`. If it fails because of a block, returns that block as a suspect. Null if the
   * blocks ended long before the height that the source claims, so that the last batch lacks before-images.
   */
  private async attempt(lastHeight: number, keepsAllUndo = false): Promise<ApplyOutcome | Suspect | null> {
    const isCurrent = this.ledger?.network === this.options.network;
    const ledger = this.ledger && isCurrent ? this.ledger : await this.load();
    // After an error from here on, the ledger no longer matches the tables: the next attempt loads it again.
    this.ledger = null;
    this.newest = null;
    this.inHand = null;
    const writer = new IndexWriter(this.client, this.reader, this.options.announces);
    try {
      const outcome = await this.index(ledger, writer, lastHeight, keepsAllUndo);
      if (outcome === null) await this.drop(writer);
      else this.ledger = ledger;
      return outcome;
    } catch (error) {
      await this.drop(writer);
      const suspect = suspectOf(error as Error, this.inHand, this.newest);
      if (suspect === null) throw error;
      return suspect;
    }
  }

  /** Forgets the open batch: its blocks are applied again. */
  private async drop(writer: IndexWriter): Promise<void> {
    this.options.rules?.takeWarnings();
    await writer.drop();
  }

  /** The story of the blocks above the head, from where they wait to the readers who are told of them. */
  private async index(
    ledger: Ledger,
    writer: IndexWriter,
    lastHeight: number,
    keepsAllUndo: boolean,
  ): Promise<ApplyOutcome | null> {
    const { rules, verifiesSignatures, acceptsMisplaced } = this.options;
    const read: ReadBlocks = async (height) => upTo(await this.readBlocks(height), lastHeight);
    const taker = new BlockTaker(read, (ledger.head?.height ?? 0) + 1);
    let batch = new OpenBatch(ledger, this.options, keepsAllUndo);
    for (;;) {
      const taken = await taker.take(batch.spareBlocks);
      const run = taken === null || taken instanceof Error ? [] : taken;
      const blocks = linkedTo(ledger.head, run);
      const unlinked = run[blocks.length];
      this.newest = blocks.at(-1) ?? this.newest;

      await writer.room();
      batch.begin();
      await writer.loadWorkingSet(ledger, blocks);
      batch.loaded();
      // PostgreSQL gets their rows now, so that it works while the ledger does.
      batch.add(blocks, await writer.addBlocks(blocks));
      for (const block of blocks) {
        this.inHand = block;
        if (!ledger.hasForger(block)) await checkForger(ledger, block, acceptsMisplaced);
        writer.announce(ledger, block);
        const onSender = verifiesSignatures ? senderCheck(ledger, block.height) : undefined;
        applyBlock(ledger, block, batch.keepsUndo(block.height), { rules, onSender });
      }
      this.inHand = null;
      writer.addRecords(ledger.takeRecords());
      batch.applied();

      const isEnd = taken !== run || unlinked !== undefined;
      if (!isEnd && !batch.isFull) continue;
      if (!batch.isEmpty) {
        if (!batch.isUndoable) return null;
        const changed = batch.close();
        writer.addChanges(changed);
        writer.moveHead(changed, !isEnd);
        writer.tellReaders(changed);
        batch.reportAfter(writer.commit(changed));
      }
      if (isEnd) await writer.settled();
      ledger.shrinkTo(this.options.accountCapacity ?? DEFAULT_ACCOUNT_CAPACITY, writer.committedHeight);
      if (taken instanceof Error) throw taken;
      // The head is not null here: without one, the first block counts as linked.
      if (unlinked) return { kind: 'mismatch', height: unlinked.height, head: ledger.head! };
      if (isEnd) return { kind: 'applied', head: ledger.head };
      batch = batch.next();
    }
  }
}
