import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { HeightRange } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { listStagedRanges } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { ApplyWorker, FetchWorker, FollowWorker } from '../workers.js';
import { ApplyRunner } from '../apply/apply-runner.service.js';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { FollowService, planRanges } from '../follow/follow.service.js';
import { RangeSizer } from '../follow/range-sizer.js';
import { PositionService } from '../follow/current-state.js';
import { SourceWatch } from '../follow/source-watch.js';
import { Standstill } from '../follow/standstill.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { SourcePauses } from '../operations/source-pauses.js';
import { Stopping } from '../stopping.service.js';

const LOOK_MS = 500;

/** Jobs do their work within this time, or something is wrong with them or with the source. */
const STILL_MS = 7_000;

/**
 * If the index stands still, the leader says so and does the next work itself, without the queues: a job may be lost, or
 * be held for a day by a lock of a process whose clock was ahead.
 */
@Injectable()
export class StandstillWatch implements OnApplicationBootstrap {
  /** What this process is doing without the queues; null if nothing. */
  private doing: string | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sizer: RangeSizer,
    private readonly standstill: Standstill,
    private readonly position: PositionService,
    private readonly runner: ApplyRunner,
    private readonly lists: ListIndexes,
    private readonly planner: FollowService,
    private readonly follow: FollowWorker,
    private readonly fetch: FetchWorker,
    private readonly apply: ApplyWorker,
    private readonly pauses: SourcePauses,
    private readonly source: SourceWatch,
    private readonly obstacles: Obstacles,
    private readonly stopping: Stopping,
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    let acted = -Infinity;
    while (!signal.aborted) {
      await this.stopping.pause(LOOK_MS);
      const now = performance.now();
      const stillMs = this.standstill.lastsMs(this.position.current, now);
      if (!this.runner.leads || Math.min(stillMs, now - acted) < STILL_MS) continue;
      acted = now;
      this.act(stillMs);
    }
  }

  private act(stillMs: number): void {
    const busy = this.busyWith();
    // `SourceWatch` says that the source is away.
    if (this.position.lag !== 0 || !this.source.isAway) this.say(stillMs, busy);
    if (busy === null) void this.workItself();
  }

  private say(stillMs: number, busy: string | null): void {
    const { head, sourceHeight } = this.position.current;
    const seconds = Math.round(stillMs / 1_000);
    const reason = busy ?? (this.obstacles.current.join(' | ') || 'no job did the next work');
    this.logger.warn(
      { height: head?.height ?? 0, sourceHeight, seconds, reason },
      busy === null ? 'the index stands still: working without the queues' : 'the index stands still',
    );
  }

  /** What is under way here and must end first; null if nothing is. */
  private busyWith(): string | null {
    const { current: pause } = this.pauses;
    if (pause !== null) return `${pause.source} is not asked for ${pause.secondsLeft} s: ${pause.reason}`;
    if (this.lists.building !== null) return `still building ${this.lists.building}`;
    if (this.runner.isApplying) return 'still applying';
    return this.doing && `still ${this.doing}`;
  }

  /** Does what one job of each queue would do. Each says itself what goes wrong. */
  private async workItself(): Promise<void> {
    const before = this.position.current.head?.id;
    await this.step('following', () => this.follow.work({ reason: 'poll' }));
    await this.step('fetching', async () => {
      const range = await this.missingRange();
      if (range !== null) await this.fetch.work(range);
    });
    await this.step('applying', () => this.apply.work({ reason: 'staged' }));
    // The job that tells of a fork may be lost, too.
    if (this.position.current.head?.id === before)
      await this.step('looking for a fork', () => this.apply.work({ reason: 'fork' }));
  }

  /** The range right above the head, whatever jobs the queues hold for it; null if it is staged or need not be fetched. */
  private async missingRange(): Promise<HeightRange | null> {
    const staged = await listStagedRanges(this.pool);
    const { head, sourceHeight } = await this.position.refresh();
    if (this.planner.isReadInBulk) return null;
    const none = { taken: [], maxJobs: 0, maxStagedBytes: 0 };
    const { rangeBlocks, bytesPerBlock } = this.sizer;
    const heights = { head: head?.height ?? 0, tip: sourceHeight ?? 0 };
    return planRanges({ ...heights, staged, rangeBlocks, bytesPerBlock, ...none })[0] ?? null;
  }

  private async step(doing: string, work: () => Promise<void>): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.doing = doing;
    await work().catch(() => undefined);
    this.doing = null;
  }
}
