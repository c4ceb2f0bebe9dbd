import { Processor } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  JobQueues,
  QueueName,
  StoppableProcessor,
  WORKER_OPTIONS,
  type ApplyJob,
  type FetchJob,
  type FollowJob,
  type HeightRange,
} from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { ApplyRunner } from './apply/apply-runner.service.js';
import { FetchService } from './fetch/fetch.service.js';
import { FollowService } from './follow/follow.service.js';
import { SETTINGS, type IndexerSettings } from './indexer.config.js';
import { JobFailures, PLACES } from './job-failures.service.js';
import { saySometimes } from './logging/say-sometimes.js';
import { Obstacles } from './operations/obstacles.service.js';
import { Stopping } from './stopping.service.js';

/** Does the jobs of one queue. The tables say what there is to do: a job is a hint, and may run twice or never. */
export abstract class IndexerWorker<Job> extends StoppableProcessor<Job> implements OnApplicationBootstrap {
  @Inject(LOGGER) protected readonly logger!: Logger;
  @Inject(Obstacles) protected readonly obstacles!: Obstacles;
  /** Of the work, for readiness. */
  protected abstract readonly place: string;

  /** BullMQ reports errors outside jobs: a lost connection, or a job whose record vanished while it ran. */
  onApplicationBootstrap(): void {
    const { name: queue } = this.worker;
    const say = (reason: string): void =>
      this.logger.warn({ queue, reason }, 'a queue worker had an error; it continues');
    this.worker.on('error', saySometimes(say));
  }

  async work(job: Job): Promise<void> {
    try {
      await this.doWork(job);
      this.obstacles.clear(this.place);
    } catch (error) {
      throw this.isHandingOver ? error : this.translate(error as Error, job);
    }
  }

  protected abstract doWork(job: Job): Promise<void>;

  /** Says what has gone wrong; BullMQ says nothing. Returns the error with which the job fails. */
  protected abstract translate(error: Error, job: Job): Error;
}

@Processor(QueueName.Follow, WORKER_OPTIONS)
export class FollowWorker extends IndexerWorker<FollowJob> implements BeforeApplicationShutdown {
  protected readonly place = PLACES.following;

  constructor(
    private readonly follow: FollowService,
    private readonly failures: JobFailures,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  /** Must run before Nest closes the queues: a job that is still running would wait forever on a closed one. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stopping.step('returning follow jobs', () => this.stop());
  }

  protected doWork({ reason }: FollowJob): Promise<void> {
    return reason === 'poll' ? this.follow.poll() : this.follow.plan();
  }

  protected translate(error: Error): Error {
    return this.failures.following(error);
  }
}

/** Works only in the leading process: `LeaderService` starts, pauses and closes it. */
@Processor(QueueName.Apply, { ...WORKER_OPTIONS, autorun: false })
export class ApplyWorker extends IndexerWorker<ApplyJob> {
  protected readonly place = PLACES.applying;

  constructor(
    private readonly runner: ApplyRunner,
    private readonly queues: JobQueues,
    private readonly failures: JobFailures,
  ) {
    super();
  }

  /** A leader goes on with what it has staged itself; another process tells the leader. */
  async goOn(staged: HeightRange): Promise<void> {
    if (!this.runner.leads) await this.queues.applyStaged(staged);
    else if (this.runner.waitingRuns === 0) void this.work({ reason: 'staged' }).catch(() => undefined);
  }

  protected async doWork({ reason }: ApplyJob): Promise<void> {
    await this.runner.run(reason);
    this.failures.inApplying = 0;
  }

  protected translate(error: Error): Error {
    return this.failures.applying(error);
  }
}

@Processor(QueueName.Fetch, WORKER_OPTIONS)
export class FetchWorker extends IndexerWorker<FetchJob> implements BeforeApplicationShutdown {
  protected readonly place = PLACES.fetching;

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly fetches: FetchService,
    private readonly applying: ApplyWorker,
    private readonly failures: JobFailures,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.worker.concurrency = this.settings.FETCH_CONCURRENCY;
  }

  /** As for follow jobs. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stopping.step('giving back fetch jobs', () => this.stop());
  }

  protected async doWork(range: FetchJob): Promise<void> {
    const outcome = await this.fetches.fetch(range, (staged) => this.applying.goOn(staged));
    this.logger.debug({ from: range.from, to: range.to, outcome }, 'fetched a range');
  }

  protected translate(error: Error, job: FetchJob): Error {
    return this.failures.fetching(error, job);
  }
}
