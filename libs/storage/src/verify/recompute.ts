import { Ledger, type BlockRef, type Network, type Rules } from '@roundhouse/chain';
import { dailyFees, DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { namesOf } from '@roundhouse/entities/sql';
import type { OnProgress } from '../checkpoint/checkpoint.js';
import { dailyFeesIn, dayOf } from '../daily-fees-in.js';
import { paymentsIn } from '../payments-in.js';
import { changeSteps } from '../writer/change-steps.js';
import { loadLedger } from '../writer/load-ledger.js';
import { moveHead } from '../writer/move-head.js';
import { Replay, type BadBlock } from './replay.js';
import { storedRows, type PartSize } from './stored-blocks.js';

export interface RecomputeOptions {
  readonly network: Network;
  /** Blocks from this height on get before-images. */
  readonly firstUndo: number;
  /** Whether to compute the history of the blocks that are applied. (Default: false) */
  readonly keepsHistory?: boolean | undefined;
  /** Whether to compute attributes, the weights of forgers and the fees of each day. */
  readonly keepsDetails: boolean;
  /** Whether to compute the statistics of each day. */
  readonly keepsStatistics: boolean;
  /** Compute the fees only of the days that end above this height. (Default: 0, of all) */
  readonly feesFrom?: number;
  /** The temporary tables hold the state after a block that is at most `firstUndo` - 1. (Default: false, they are empty) */
  readonly continues?: boolean;
  /** Stop at the first stored block that contradicts itself, even if it can be applied. (Default: false) */
  readonly stopsAtBadBlock?: boolean;
  /** What the blocks must keep. (Default: every rule) */
  readonly rules?: Rules | undefined;
  /** Whether the blocks' signatures are verified. (Default: false) */
  readonly verifiesSignatures?: boolean | undefined;
  /** How many accounts are held in memory; the rest are in the temporary tables. (Default: 100000) */
  readonly accountCapacity?: number;
  /** Changes are written to the temporary tables after this many blocks. (Default: 50000) */
  readonly flushBlocks?: number;
  readonly partSize?: PartSize | undefined;
  readonly onProgress?: OnProgress | undefined;
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

/** The ledger does not keep them: they are in the assets of the stored transactions. */
const INSERT_PAYMENTS = `
INSERT INTO pg_temp.payments (recipient, block_height, sequence)
SELECT DISTINCT recipient, block_height, sequence FROM (${paymentsIn('true')}) paid`;

/** $1: a height; only days that end above it are summed up. */
const DAY = `coalesce((SELECT ${dayOf('"timestamp"')} FROM roundhouse.blocks WHERE height = $1), 0)`;
const INSERT_DAILY_FEES = `
INSERT INTO pg_temp.daily_fees (${namesOf(dailyFees.columns)}) ${dailyFeesIn(
  `t.block_height > coalesce((SELECT max(height) FROM roundhouse.blocks WHERE height <= $1 AND ${dayOf('"timestamp"')} < ${DAY}), 0)`,
)}`;

/**
 * Makes empty temporary tables under the names of the derived ones. From then on, a derived table's name without a
 * schema means the temporary table, in the writer's statements too. So use the connection for nothing else.
 */
export const createTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { name } of DERIVED_TABLES) {
    await client.query(
      `CREATE TEMPORARY TABLE ${name} (LIKE roundhouse.${name} INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
    );
  }
};

class Recomputation {
  private readonly replay: Replay;
  /** The head at the last flush. */
  private flushed: BlockRef | null;
  private transactionsFlushed = 0;

  constructor(
    private readonly client: ClientBase,
    private readonly ledger: Ledger,
    private readonly options: RecomputeOptions,
  ) {
    this.replay = new Replay(client, ledger, options);
    this.flushed = ledger.head;
  }

  async run(): Promise<Recomputed> {
    const { client, ledger, replay, options } = this;
    const from = ledger.head;
    let isBroken = false;
    for await (const blocks of storedRows(client, { above: from?.height, partSize: options.partSize })) {
      isBroken = !(await replay.apply(blocks));
      if (isBroken) break;
      await this.flushWhenDue();
      await options.onProgress?.(blocks.at(-1)!.block.height);
    }
    const { head } = ledger;
    // After an error the ledger may hold half a block.
    if (!isBroken) await this.finish(from);
    return { head, badBlocks: replay.badBlocks, isBroken };
  }

  private async flushWhenDue(): Promise<void> {
    const blocks = this.ledger.head!.height - (this.flushed?.height ?? 0);
    const transactions = this.replay.transactions - this.transactionsFlushed;
    if (blocks < (this.options.flushBlocks ?? FLUSH_BLOCKS) && transactions < FLUSH_TRANSACTIONS) return;
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
      // Prunes the sums below the lowest height that can become the head again, as the index does.
      undoDepth: head.height - options.firstUndo + 1,
    };
    for (const step of changeSteps(client, batch)) await step.run();
    this.flushed = head;
    this.transactionsFlushed = this.replay.transactions;
    ledger.shrinkTo(options.accountCapacity ?? DEFAULT_ACCOUNT_CAPACITY, head.height);
  }

  private async finish(from: BlockRef | null): Promise<void> {
    await this.flush();
    const { head, delegates, keepsHistory, knowsClaims, keepsDetails } = this.ledger;
    if (head === null) return;
    await this.client.query(INSERT_PAYMENTS);
    if (keepsDetails) await this.client.query(INSERT_DAILY_FEES, [this.options.feesFrom ?? 0]);
    if (head.height !== from?.height)
      await moveHead(this.client, from, {
        head,
        delegateCount: delegates.size,
        keepsHistory,
        knowsClaims,
        keepsDetails,
      });
  }
}

/**
 * Applies all stored blocks above those whose state the temporary tables hold, and writes the resulting rows only to
 * the temporary tables. Its memory is bounded by the number of accounts held and of blocks read at a time.
 */
export const recompute = async (client: ClientBase, options: RecomputeOptions): Promise<Recomputed> => {
  const { network, continues, keepsHistory = false, keepsDetails, keepsStatistics } = options;
  const ledger = continues ? await loadLedger(client, network) : Ledger.empty(network);
  ledger.keepsHistory = keepsHistory;
  ledger.keepsDetails = keepsDetails;
  ledger.keepsStatistics = keepsStatistics;
  return new Recomputation(client, ledger, options).run();
};
