import { Inject, Injectable } from '@nestjs/common';
import type { Block, MilestoneSchedule, Network } from '@roundhouse/chain';
import { JobQueues, type ApplyJob } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import { dropStagedAt, forgetRefusals, readStagedBlocks } from '@roundhouse/storage';
import { logSlowQueries, traced, tracedAfterwards } from '@roundhouse/telemetry';
import { Pool, type ClientBase } from 'pg';
import type { Logger } from 'pino';
import { CurrentNetwork, FAR_BEHIND_BLOCKS, PositionService } from '../follow/current-state.js';
import { ForkFollower } from '../fork/fork-follower.service.js';
import { rulesOf, SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { assertSamePast } from '../network/same-past.js';
import { Metrics } from '../operations/metrics.service.js';
import type { ApplyOutcome, Mismatch } from './apply-options.js';
import { ApplyService, upTo } from './apply.service.js';
import { batchTrace } from './batch-trace.js';
import { ListIndexes } from './list-indexes.service.js';
import { ProgressLog } from './progress-log.js';
import { Refusals } from './refusals.service.js';

/** A source that is read in bulk is wrong at this height. */
interface Unreadable {
  readonly kind: 'unreadable';
  readonly height: number;
  readonly reason: string;
}

/** Drives `ApplyService` while this process leads: applies staged blocks and follows forks. */
@Injectable()
export class ApplyRunner {
  /** Called after each commit. */
  onNews: () => void = () => undefined;
  /** Null while another process leads. */
  private apply: ApplyService | null = null;
  private leading = new AbortController();
  private isRunning = false;
  /** Settles with the last run; never rejects. */
  private last: Promise<void> = Promise.resolve();
  private waitingRuns = 0;
  /** The last block that was read in bulk. */
  private bulkHeight = 0;
  /** The rules of the ledger; they change only between two batches. */
  private rules!: Network;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly network: CurrentNetwork,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly forks: ForkFollower,
    private readonly metrics: Metrics,
    private readonly progress: ProgressLog,
    private readonly bulk: BulkBlocks,
    private readonly refusals: Refusals,
    private readonly lists: ListIndexes,
  ) {}

  /** Starts to write on the connection that holds the writer's lock. */
  lead(client: ClientBase): void {
    logSlowQueries(client, this.settings.SLOW_QUERY_MS, this.logger);
    this.progress.begin();
    this.leading = new AbortController();
    this.rules = this.network.value;
    const rules = (): Network => this.rules;
    const apply: ApplyService = new ApplyService(
      client,
      this.pool,
      // After `resign`, reading returns no more blocks, so the current batch is the last.
      async (height) => (this.apply === apply ? this.read(height) : null),
      {
        get network() {
          return rules();
        },
        batchBlocks: this.settings.APPLY_BATCH_BLOCKS,
        undoDepth: this.settings.UNDO_DEPTH,
        rules: rulesOf(this.settings),
        verifiesSignatures: this.settings.VERIFY === 'full',
        keepsHistory: this.settings.HISTORY === 'full',
        acceptsMisplaced:
          this.settings.FORGERS === 'active' ? (block) => this.forks.isSigned(block) : undefined,
        claimedHeight: () => this.position.current.sourceHeight ?? 0,
        announces: (block, milestones) => this.isNews(block, milestones),
        onBatch: (report) => {
          this.metrics.countBatch(report);
          this.progress.batch(report);
          this.onNews();
          tracedAfterwards(() => batchTrace(report, performance.now()));
        },
        onOutdated: (height) =>
          this.logger.warn(
            { height },
            'new rules change the forgers of the next round: the last block before it is undone and applied again',
          ),
      },
    );
    this.apply = apply;
  }

  resign(): void {
    this.apply = null;
    this.leading.abort();
  }

  get leads(): boolean {
    return this.apply !== null;
  }

  get isApplying(): boolean {
    return this.isRunning;
  }

  /** Whether a run waits: it applies all that is staged until it begins. */
  get isRequested(): boolean {
    return this.waitingRuns > 0;
  }

  /** Resolves when all runs that were requested have ended. */
  get idle(): Promise<void> {
    return this.last;
  }

  /** One run at a time, in order: `ApplyService` must not be used in parallel. */
  run(reason: ApplyJob['reason']): Promise<void> {
    this.waitingRuns += 1;
    const run = this.last.then(async () => {
      this.waitingRuns -= 1;
      this.isRunning = true;
      const span = { name: 'apply', attributes: { 'roundhouse.reason': reason } };
      await traced(span, () => this.runOnce(reason)).finally(() => (this.isRunning = false));
    });
    this.last = run.catch(() => undefined);
    return run;
  }

  private async runOnce(reason: ApplyJob['reason']): Promise<void> {
    const { apply } = this;
    if (apply === null) return;
    if (reason === 'led') await forgetRefusals(this.pool);
    const { head, sourceHeight } = await this.position.refresh();
    // Nothing is staged yet, and it is not known how far behind the index is.
    if (sourceHeight === null) return;
    if (this.lists.mayLack && this.position.lag! < FAR_BEHIND_BLOCKS)
      await this.lists.build(this.leading.signal);
    const before = head?.height ?? 0;
    if (reason === 'fork' && head !== null) await this.followFork(apply, head);
    const isRefused = await this.drain(apply);
    if (this.apply !== apply) return;
    const { head: now } = await this.position.refresh();
    if (!isRefused && (now?.height ?? 0) <= before) return;
    this.progress.drained();
    // At the tip there is nothing to plan before the next poll.
    if (isRefused || this.position.lag !== 0) await this.queues.plan();
  }

  /** Applies all available blocks; true if one was refused. */
  private async drain(apply: ApplyService): Promise<boolean> {
    for (;;) {
      await this.takeUpRules();
      const outcome = await this.drainOnce(apply);
      switch (outcome.kind) {
        case 'applied':
          if (this.rules === this.network.value) return false;
          break;
        case 'refused':
          await this.refusals.refuse(outcome.block, outcome.reason);
          return true;
        case 'unreadable':
          await this.refusals.refuseInBulk(outcome.height, outcome.reason);
          return true;
        case 'mismatch':
          if (await this.settle(apply, outcome)) return true;
      }
    }
  }

  private async drainOnce(apply: ApplyService): Promise<ApplyOutcome | Unreadable> {
    try {
      return await apply.drain();
    } catch (error) {
      // Here only a bulk read uses the source; staged blocks come from the database.
      if (!(error instanceof NodeProtocolError) || error.height === undefined) throw error;
      this.metrics.countSourceError(error);
      return { kind: 'unreadable', height: error.height, reason: error.message };
    }
  }

  /** Throws if blocks that are already indexed fall under the new rules: having no index is better than a wrong one. */
  private async takeUpRules(): Promise<void> {
    const rules = await this.network.refresh();
    if (rules === this.rules) return;
    await assertSamePast(this.pool, this.rules, rules);
    this.rules = rules;
  }

  private async read(height: number): Promise<readonly Block[] | null> {
    if (height > this.position.lastHeight) return null;
    const blocks = (await this.readInBulk(height)) ?? (await readStagedBlocks(this.pool, height));
    // Read after the blocks: blocks above a milestone are staged only after the milestone is stored.
    if ((await this.network.refresh()) !== this.rules) return null;
    return upTo(blocks, this.position.lastHeight);
  }

  private async readInBulk(height: number): Promise<readonly Block[] | null> {
    if (this.source.segments === undefined) return null;
    const blocks = await this.bulk.read(height, this.position.current.sourceHeight ?? 0);
    if (blocks !== null) this.bulkHeight = blocks.at(-1)!.height;
    return blocks;
  }

  /**
   * Whether webhooks are told of a block: it was not read in bulk, and it can still be undone. A source may claim any
   * height, and a clock may be wrong: one of them is enough.
   */
  private isNews({ height, timestamp }: Block, milestones: MilestoneSchedule): boolean {
    if (height <= this.bulkHeight) return false;
    const { UNDO_DEPTH } = this.settings;
    if (height > (this.position.current.sourceHeight ?? 0) - UNDO_DEPTH) return true;
    const { epoch, blocktime } = milestones.at(height);
    const age = (Date.now() - Date.parse(epoch)) / 1_000 - timestamp;
    return age < UNDO_DEPTH * blocktime;
  }

  /**
   * Blocks do not link to the head: the source has forked, or they are from an abandoned branch. True if the source itself has
   * such blocks, which were read in bulk.
   */
  private async settle(apply: ApplyService, { height, head }: Mismatch): Promise<boolean> {
    if (await this.followFork(apply, head)) return false;
    if (height <= this.bulkHeight) {
      await this.refusals.refuseInBulk(height, `it does not follow block ${head.height} (${head.id})`);
      return true;
    }
    await dropStagedAt(this.pool, height);
    this.logger.warn({ height, head: head.id }, 'dropped staged blocks that do not link to the head');
    return false;
  }

  /** Whether the source has forked: then our blocks above the common height are undone. */
  private async followFork(apply: ApplyService, head: Mismatch['head']): Promise<boolean> {
    const commonHeight = await this.forks.follow(head, (height) => apply.undoTo(height));
    if (commonHeight === null) return false;
    this.bulkHeight = Math.min(this.bulkHeight, commonHeight);
    this.onNews();
    await this.position.refresh();
    await this.queues.plan();
    return true;
  }
}
