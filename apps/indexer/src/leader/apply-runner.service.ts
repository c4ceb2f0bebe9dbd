import { Inject, Injectable } from '@nestjs/common';
import type { Block, BlockRef, Network } from '@roundhouse/chain';
import { JobQueues, type ApplyJob } from '@roundhouse/jobs';
import { dropStagedAt, readStagedBlocks, type EncodedBlocks } from '@roundhouse/storage';
import { traced, tracedAfterwards } from '@roundhouse/telemetry';
import { Pool, type ClientBase } from 'pg';
import type { Logger } from 'pino';
import type { ApplyOutcome } from '../apply/apply-outcome.js';
import { ApplyService } from '../apply/apply.service.js';
import { upTo } from '../apply/up-to.js';
import { PositionService } from '../follow/position.service.js';
import { ForkService } from '../fork/fork.service.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { LocalBlocks } from '../local/local-blocks.service.js';
import { tellSlowStatements } from '../database/slow-statements.js';
import { logSlowQuery } from '../logging/slow-query.js';
import { LOGGER } from '../logging/logger.js';
import { NETWORK } from '../network/network-guard.js';
import { Figures } from '../operations/figures.service.js';
import { batchTrace } from './batch-trace.js';
import { ProgressLog } from './progress-log.js';

type Mismatch = Extract<ApplyOutcome, { kind: 'mismatch' }>;

/** Drives the single writer while this process leads: applies what is staged, and follows forks. */
@Injectable()
export class ApplyRunner {
  private writer: ApplyService | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(NETWORK) private readonly network: Network,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly forks: ForkService,
    private readonly figures: Figures,
    private readonly progress: ProgressLog,
    private readonly local: LocalBlocks,
  ) {}

  /** Begins to write on the connection that holds the writer's lock. */
  lead(client: ClientBase): void {
    tellSlowStatements(client, this.settings.SLOW_QUERY_MS, logSlowQuery(this.logger));
    this.progress.begin();
    const writer: ApplyService = new ApplyService(
      client,
      // A writer that was told to stop finds nothing more: the batch in hand is its last.
      async (height) => (this.writer === writer ? this.read(height) : null),
      {
        network: this.network,
        batchBlocks: this.settings.APPLY_BATCH_BLOCKS,
        undoDepth: this.settings.UNDO_DEPTH,
        ...(this.settings.VERIFY === 'full' ? { onWrongForger: this.reportForger } : {}),
        onBatch: (report) => {
          this.figures.countBatch(report);
          this.progress.batch(report);
          tracedAfterwards(() => batchTrace(report, performance.now()));
        },
      },
    );
    this.writer = writer;
  }

  resign(): void {
    this.writer = null;
  }

  /** Only for the apply worker, which runs one job at a time: two runs side by side would share the writer. */
  async run(reason: ApplyJob['reason']): Promise<void> {
    const { writer } = this;
    if (writer === null) return;
    const { head } = await this.position.refresh();
    if (reason === 'fork' && head !== null) await this.followFork(writer, head);
    let applied = 0;
    for (;;) {
      const outcome = await writer.drain();
      if (outcome.kind === 'applied') {
        applied += outcome.blocks;
        break;
      }
      await this.settle(writer, outcome);
    }
    if (applied === 0 || this.writer !== writer) return;
    await this.position.refresh();
    this.progress.drained();
    await this.queues.plan();
  }

  private readonly reportForger = ({ height, id }: BlockRef, generator: string, expected: string): void => {
    this.logger.warn({ height, id, generator, expected }, 'the generator was not allowed this slot');
  };

  private async read(height: number): Promise<readonly Block[] | EncodedBlocks | null> {
    const local = await this.local.read(height, this.position.current.sourceHeight ?? 0);
    const blocks = local ?? (await readStagedBlocks(this.pool, height));
    return blocks && upTo(blocks, this.position.lastHeight ?? Infinity);
  }

  /** Staged blocks that do not stand on the head: the source has forked, or they are from a branch that is gone. */
  private async settle(writer: ApplyService, { height, head }: Mismatch): Promise<void> {
    const isForked = await this.followFork(writer, head);
    if (isForked) return;
    await dropStagedAt(this.pool, height);
    this.logger.warn({ height, head: head.id }, 'dropped staged blocks that do not stand on the head');
  }

  private async followFork(writer: ApplyService, head: Mismatch['head']): Promise<boolean> {
    const verdict = await this.forks.judge(head);
    if (verdict.kind !== 'forked') return false;
    const { commonHeight } = verdict;
    const depth = head.height - commonHeight;
    const attributes = { 'roundhouse.from': head.height, 'roundhouse.to': commonHeight };
    await traced({ name: 'undo', attributes }, () => writer.undoTo(commonHeight));
    this.figures.countFork(depth);
    this.logger.warn(
      { from: head.height, id: head.id, commonHeight, depth },
      'the source has forked: undone',
    );
    await this.position.refresh();
    await this.queues.plan();
    return true;
  }
}
