import { Inject, Injectable } from '@nestjs/common';
import type { Block, Network } from '@roundhouse/chain';
import { JobQueues, type ApplyJob } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { BlockSource } from '@roundhouse/source';
import { forgetRefusals, readStagedBlocks } from '@roundhouse/storage';
import { logSlowQueries, traced, tracedAfterwards } from '@roundhouse/telemetry';
import { Pool, type ClientBase } from 'pg';
import type { Logger } from 'pino';
import { CurrentNetwork, FAR_BEHIND_BLOCKS, PositionService } from '../follow/current-state.js';
import { ForkFollower } from '../fork/fork-follower.service.js';
import { rulesOf, SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { assertSamePast } from '../network/same-past.js';
import { Metrics } from '../operations/metrics.service.js';
import { isNews } from '../webhooks/is-news.js';
import { ApplyService, upTo } from './apply.service.js';
import { batchTrace } from './batch-trace.js';
import { ListIndexes } from './list-indexes.service.js';
import { ProgressLog } from './progress-log.js';
import { Setbacks } from './setbacks.service.js';

/** Drives `ApplyService` while this process leads: applies staged blocks and follows forks. */
@Injectable()
export class ApplyRunner {
  /** Called after each commit. */
  onNews: () => void = () => undefined;
  /** Null while another process leads. */
  private apply: ApplyService | null = null;
  private leading = new AbortController();
  isApplying = false;
  /** Resolves when all runs that were requested have ended. */
  idle: Promise<void> = Promise.resolve();
  /** Runs that wait: one of them applies all that is staged until it begins. */
  waitingRuns = 0;
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
    private readonly setbacks: Setbacks,
    private readonly lists: ListIndexes,
  ) {}

  /** Starts to write on the connection that holds the writer's lock. */
  lead(client: ClientBase): void {
    logSlowQueries(client, this.settings.SLOW_QUERY_MS, this.logger);
    this.progress.begin();
    this.setbacks.onUndone = () => this.onNews();
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
        claimedHeight: () => this.claimedHeight,
        announces: (block, milestones) =>
          block.height > this.bulk.lastHeight &&
          isNews(block, milestones, this.claimedHeight, this.settings.UNDO_DEPTH),
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

  private get claimedHeight(): number {
    return this.position.current.sourceHeight ?? 0;
  }

  /** One run at a time, in order: `ApplyService` must not be used in parallel. */
  run(reason: ApplyJob['reason']): Promise<void> {
    this.waitingRuns += 1;
    const run = this.idle.then(async () => {
      this.waitingRuns -= 1;
      this.isApplying = true;
      const span = { name: 'apply', attributes: { 'roundhouse.reason': reason } };
      await traced(span, () => this.runOnce(reason)).finally(() => (this.isApplying = false));
    });
    this.idle = run.catch(() => undefined);
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
    if (reason === 'fork' && head !== null) await this.setbacks.followFork(apply, head);
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
      const outcome = await apply.drain().catch((error: Error) => this.setbacks.unreadable(error));
      if (outcome.kind !== 'applied') {
        if (await this.setbacks.settle(outcome, apply)) return true;
      } else if (this.rules === this.network.value) return false;
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
    const blocks = await this.bulk.read(height, this.claimedHeight);
    this.bulk.lastHeight = blocks?.at(-1)?.height ?? this.bulk.lastHeight;
    return blocks;
  }
}
