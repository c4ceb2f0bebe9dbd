import {
  Ledger,
  Rules,
  UnknownClaimsError,
  type BlockRef,
  type LedgerHead,
  type Network,
} from '@roundhouse/chain';
import { DatabaseError, type ClientBase } from 'pg';
import { blockIdText } from '@roundhouse/entities/sql';
import { readNetwork } from '../status/position.js';
import { liftLimits } from '../snapshot/dump-tables.js';
import { compareStretch, type TableDifferences } from '../verify/compare-tables.js';
import { Replay, type BadBlock } from '../verify/replay.js';
import { storedRows, type PartSize } from '../verify/stored-blocks.js';
import { changeSteps } from '../writer/change-steps.js';
import { HeadMovedError, moveHead } from '../writer/move-head.js';
import { inTransaction } from '../writer/in-transaction.js';
import { loadLedger, readHasDetails, readHasStatistics, readKnowsClaims } from '../writer/load-ledger.js';
import { CheckpointRefusedError, proveCheckpoint } from './prove-checkpoint.js';
import {
  dropCheckpoint,
  emptyCheckpoint,
  findCheckpoint,
  GENESIS,
  startAt,
  writeProof,
  type Asked,
  type OnProgress,
  type Start,
} from './checkpoint.js';

export interface AdvanceOptions {
  /** Drop the checkpoint first. (Default: false) */
  readonly fromGenesis?: boolean;
  /** Let another program go first between two steps. (Default: false, others wait until this is done) */
  readonly yields?: boolean;
  /** About how many blocks are committed together; a step ends with a round. */
  readonly stepBlocks: number;
  /** How many accounts are held in memory between two steps. */
  readonly accountCapacity: number;
  /** How many differing rows of a table are listed, at least 1. */
  readonly listed: number;
  readonly partSize?: PartSize | undefined;
  /** What the blocks must keep. (Default: every rule) */
  readonly rules?: Rules | undefined;
  /** Whether the blocks' signatures are verified. (Default: false) */
  readonly verifiesSignatures?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Why a checkpoint cannot get any higher. */
export interface StepProblem {
  readonly badBlocks: readonly BadBlock[];
  readonly tables: readonly TableDifferences[];
}

export interface Advanced {
  /** The height of the checkpoint before; 0 if there was none. */
  readonly from: number;
  /** The height that it has now; 0 if there is still none. */
  readonly height: number;
  /** Null if it is as high as it can be. */
  readonly problem: StepProblem | null;
}

/** Only the program that holds it takes steps. */
const CHECKPOINT_LOCK = 7_466_503;

/** Blocks up to it are never undone: only before-images lead below the head. */
const LOWEST_HEAD = `
SELECT greatest(coalesce((SELECT min(height) - 1 FROM roundhouse.undo_accounts), height), 1) FROM roundhouse.head`;

/**
 * $1: the checkpoint's height; $2: how many blocks a step has. The newest end of a round within the step, or else the
 * next one. No row if the head is missing.
 */
const SELECT_STEP_END = `
SELECT coalesce(
  (SELECT max(first_height) FROM roundhouse.rounds WHERE first_height BETWEEN $1 + 2 AND least($1 + $2, (${LOWEST_HEAD})) + 1),
  (SELECT min(first_height) FROM roundhouse.rounds WHERE first_height BETWEEN $1 + 2 AND (${LOWEST_HEAD}) + 1)
) - 1 AS height FROM roundhouse.head`;

const IS_STILL_THERE = `
SELECT count(*)::integer AS count FROM roundhouse.blocks, roundhouse.network
WHERE height = $1 AND ${blockIdText('blocks.id')} = $2 AND height <= (${LOWEST_HEAD}) AND configuration::text = $3`;

/** Errors of this class say that rows contradict each other (PostgreSQL, "Error Codes"). */
const INTEGRITY = /^23/;

const violatesIntegrity = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && INTEGRITY.test(error.code ?? '');

/** Rolls the step back. */
class StepRefused extends Error {
  constructor(readonly tables: readonly TableDifferences[]) {
    super('the stored rows are not those that the blocks determine');
  }
}

const askedBy = ({ rules = new Rules(), verifiesSignatures = false }: AdvanceOptions): Required<Asked> => ({
  rules,
  verifiesSignatures,
});

/** The ledger of a checkpoint, on a connection on which the names of the derived tables mean its copies. */
class Advance {
  private constructor(
    private readonly client: ClientBase,
    private readonly options: AdvanceOptions,
    private readonly network: Network,
    private readonly configuration: string,
    private readonly ledger: Ledger,
    public start: Start,
  ) {}

  /** Null on an index without a chain. Throws `CheckpointRefusedError`. */
  static async open(client: ClientBase, options: AdvanceOptions): Promise<Advance | null> {
    const stored = await readNetwork(client);
    if (stored === null) return null;
    const { network, text } = stored;
    return inTransaction(client, async () => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      const checkpoint = await findCheckpoint(client, network, askedBy(options));
      if (checkpoint === null) {
        const ledger = Ledger.empty(network);
        ledger.keepsDetails = await readHasDetails(client, 'roundhouse.head');
        ledger.keepsStatistics = await readHasStatistics(client);
        return new Advance(client, options, network, text, ledger, GENESIS);
      }
      await proveCheckpoint(client, checkpoint, options.onProgress);
      const ledger = await loadLedger(client, network);
      return new Advance(client, options, network, text, ledger, checkpoint);
    });
  }

  /**
   * 'done' if the next round does not end below the reach of undoing, or the head is missing; 'moved' if others changed
   * the checkpoint. Throws `CheckpointRefusedError`.
   */
  async step(): Promise<'done' | 'moved' | 'stepped' | StepProblem> {
    const { client, ledger, options, start } = this;
    const from = ledger.head;
    if (!(await this.isAt(from))) return 'moved';
    const { rows } = await client.query<{ height: number | null }>(SELECT_STEP_END, [
      start.height,
      options.stepBlocks,
    ]);
    const upTo = rows[0]?.height ?? null;
    if (upTo === null) return 'done';
    const round = ledger.round?.round ?? 0;
    const badBlocks = await this.replay(upTo);
    // A reset during the step takes the rows away that it reads.
    if (badBlocks.length > 0) return (await this.isAt(from)) ? { badBlocks, tables: [] } : 'moved';
    try {
      this.start = await this.commit(from, ledger.head!, round);
    } catch (error) {
      if (error instanceof StepRefused) return { badBlocks: [], tables: error.tables };
      if (error instanceof HeadMovedError) return 'moved';
      if (violatesIntegrity(error))
        throw new CheckpointRefusedError(
          start.height,
          `its rows contradict the next blocks: ${error.message}.`,
        );
      throw error;
    }
    ledger.shrinkTo(options.accountCapacity, upTo);
    return 'stepped';
  }

  /** Whether the checkpoint still is what the ledger stands for. */
  private async isAt(from: BlockRef | null): Promise<boolean> {
    const checkpoint = await findCheckpoint(this.client, this.network, askedBy(this.options));
    return checkpoint?.height === from?.height && checkpoint?.id === from?.id;
  }

  private async replay(upTo: number): Promise<readonly BadBlock[]> {
    const { client, ledger, network, start } = this;
    const { partSize, rules, verifiesSignatures, onProgress } = this.options;
    const replay = new Replay(client, ledger, {
      network,
      firstUndo: Infinity,
      stopsAtBadBlock: true,
      rules,
      verifiesSignatures,
    });
    for await (const blocks of storedRows(client, { above: start.height, upTo, partSize })) {
      if (!(await replay.apply(blocks))) return replay.badBlocks;
      await onProgress?.(blocks.at(-1)!.block.height);
    }
    return ledger.head?.height === upTo ? [] : [{ height: upTo, problem: 'the block is missing' }];
  }

  /** Throws `HeadMovedError` if the checkpoint or the index is no longer what the step began with. */
  private commit(from: BlockRef | null, head: LedgerHead, round: number): Promise<Start> {
    const { client, ledger, options, configuration, start } = this;
    return inTransaction(client, async () => {
      const { rows } = await client.query<{ count: number }>(IS_STILL_THERE, [
        head.height,
        head.id,
        configuration,
      ]);
      if (rows[0]!.count === 0 || !(await this.isAt(from))) throw new HeadMovedError(from);
      if (from === null) await emptyCheckpoint(client);
      const [changes, delegateCount] = [ledger.takeChanges(), ledger.delegates.size];
      for (const step of changeSteps(client, { from, head, delegateCount, changes, undoDepth: 0 }))
        await step.run();
      const { keepsDetails } = ledger;
      await moveHead(client, from, {
        head,
        delegateCount,
        keepsHistory: false,
        knowsClaims: true,
        keepsDetails,
      });
      const next = await startAt(client, start, head.height);
      const nextRounds = [round, ledger.round?.round ?? 0] as const;
      const stretch = { above: start, upTo: next, nextRounds };
      const differences = await compareStretch(client, stretch, options.listed);
      if (differences.length > 0) throw new StepRefused(differences);
      await writeProof(client, next, configuration, askedBy(options));
      return next;
    });
  }
}

/**
 * Raises the checkpoint to the newest end of a round that can never be undone, in steps that are committed one by one.
 * A step applies the next stored blocks to the copies; it is committed only if each block is sound and the numbers of
 * keys and addresses, the rounds and the digests of the index are those that the blocks give. So an interruption loses
 * one step. Use the connection for nothing else, and end it afterwards: it holds a lock. Throws `CheckpointRefusedError`.
 */
export const advanceCheckpoint = async (client: ClientBase, options: AdvanceOptions): Promise<Advanced> => {
  const lock = (): Promise<unknown> => client.query('SELECT pg_advisory_lock($1)', [CHECKPOINT_LOCK]);
  const unlock = (): Promise<unknown> => client.query('SELECT pg_advisory_unlock($1)', [CHECKPOINT_LOCK]);
  await liftLimits(client);
  if (!(await readKnowsClaims(client))) throw new UnknownClaimsError('whether its rows are right');
  await client.query('SET search_path = checkpoint, roundhouse');
  await lock();
  if (options.fromGenesis) await dropCheckpoint(client);
  let from: number | undefined;
  for (;;) {
    const advance = await Advance.open(client, options);
    if (advance === null) return { from: 0, height: 0, problem: null };
    from ??= advance.start.height;
    let outcome = await advance.step();
    while (outcome === 'stepped') {
      if (options.yields) {
        await unlock();
        await lock();
      }
      outcome = await advance.step();
    }
    if (outcome === 'moved') continue;
    return { from, height: advance.start.height, problem: outcome === 'done' ? null : outcome };
  }
};
