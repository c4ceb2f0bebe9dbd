import { assertLinked, checkBlock } from '@roundhouse/blocks';
import {
  applyBlock,
  assertForger,
  ChainError,
  InvalidBlockError,
  Ledger,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import { DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { queryRows } from '../query-rows.js';
import { changeSteps } from '../writer/change-steps.js';
import { loadWorkingSet } from '../writer/load-working-set.js';
import { moveHead } from '../writer/move-head.js';
import { storedBlocks } from './stored-blocks.js';

export interface RecomputeOptions {
  readonly network: Network;
  /** Blocks from this height on get before-images. */
  readonly firstUndo: number;
  /** Stop at the first stored block that contradicts itself, even if it can be applied. (Default: false) */
  readonly stopsAtBadBlock?: boolean;
  /** How many accounts are held in memory; the rest are in the temporary tables. (Default: 100000) */
  readonly accountCapacity?: number;
  /** Called after each part. */
  readonly onProgress?: ((height: number) => void) | undefined;
}

/** A stored block that contradicts itself or the blocks below it. */
export interface BadBlock {
  readonly height: number;
  readonly problem: string;
}

export interface Recomputed {
  /** The newest block that was applied, if any. */
  readonly head: BlockRef | null;
  readonly badBlocks: readonly BadBlock[];
  /** The last bad block and those above it were not applied. */
  readonly isBroken: boolean;
}

const DEFAULT_ACCOUNT_CAPACITY = 100_000;

/** Changes are written to the temporary tables after this many. */
const FLUSH_BLOCKS = 50_000;
const FLUSH_TRANSACTIONS = 100_000;

/**
 * Makes empty temporary tables under the names of the derived ones. From then on, a derived table's name without a
 * schema means the temporary table, in the writer's statements too. So use the connection for nothing else.
 */
export const createTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { name } of DERIVED_TABLES) {
    await client.query(
      `CREATE TEMPORARY TABLE ${name} (LIKE public.${name} INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
    );
  }
};

class Recomputation {
  private readonly ledger: Ledger;
  private readonly badBlocks: BadBlock[] = [];
  /** The head at the last flush. */
  private flushed: BlockRef | null = null;
  private transactions = 0;

  constructor(
    private readonly client: ClientBase,
    private readonly options: RecomputeOptions,
  ) {
    this.ledger = Ledger.empty(options.network);
  }

  async run(): Promise<Recomputed> {
    let isBroken = false;
    for await (const blocks of storedBlocks(this.client)) {
      await loadWorkingSet((sql, values) => queryRows(this.client, sql, values), this.ledger, blocks);
      isBroken = !this.applyAll(blocks);
      if (isBroken) break;
      await this.flushWhenDue();
      this.options.onProgress?.(blocks.at(-1)!.height);
    }
    const { head } = this.ledger;
    // After an error the ledger may hold half a block.
    if (!isBroken) await this.finish();
    return { head, badBlocks: this.badBlocks, isBroken };
  }

  private applyAll(blocks: readonly Block[]): boolean {
    for (const block of blocks) {
      try {
        assertLinked(block, this.ledger.head);
        if (!this.isSound(block) && this.options.stopsAtBadBlock) return false;
        applyBlock(this.ledger, block, block.height >= this.options.firstUndo);
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        this.badBlocks.push({ height: block.height, problem: error.message });
        return false;
      }
      this.transactions += block.transactions.length;
    }
    return true;
  }

  /** A block with wrong contents can often be applied anyway; then the tables are compared as well. */
  private isSound(block: Block): boolean {
    const constants = this.ledger.milestones.at(block.height);
    try {
      checkBlock(block, { ...this.options.network, constants });
      // The slots depend on all blocks below: after one bad block, many good ones would look wrong.
      if (this.badBlocks.length === 0) assertForger(this.ledger, block);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidBlockError)) throw error;
      this.badBlocks.push({ height: block.height, problem: error.message });
      return false;
    }
  }

  private async flushWhenDue(): Promise<void> {
    const blocks = this.ledger.head!.height - (this.flushed?.height ?? 0);
    if (blocks < FLUSH_BLOCKS && this.transactions < FLUSH_TRANSACTIONS) return;
    await this.flush();
  }

  private async flush(): Promise<void> {
    const { client, ledger, flushed, options } = this;
    const { head } = ledger;
    if (head === null || head.height === flushed?.height) return;
    const batch = {
      from: flushed,
      head,
      delegateCount: ledger.delegates.size,
      changes: ledger.takeChanges(),
      // Prunes nothing: before-images begin at `firstUndo`.
      undoDepth: head.height,
    };
    for (const step of changeSteps(client, batch)) await step.run();
    this.flushed = head;
    this.transactions = 0;
    ledger.shrinkTo(options.accountCapacity ?? DEFAULT_ACCOUNT_CAPACITY, head.height);
  }

  private async finish(): Promise<void> {
    await this.flush();
    const { head, delegates } = this.ledger;
    if (head === null) return;
    await moveHead(this.client, null, head, delegates.size);
  }
}

/**
 * Applies all stored blocks to a new ledger and writes the resulting rows only to the temporary tables. Its memory is
 * bounded by the number of accounts held and of blocks read at a time.
 */
export const recompute = (client: ClientBase, options: RecomputeOptions): Promise<Recomputed> =>
  new Recomputation(client, options).run();
