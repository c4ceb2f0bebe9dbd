import { Processor } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainError, InvalidBlockError } from '@roundhouse/chain';
import {
  isQueueTrouble,
  JobQueues,
  QueueName,
  refusedPauseMs,
  StoppableProcessor,
  WORKER_OPTIONS,
  type ApplyJob,
  type FetchJob,
  type FollowJob,
  type HeightRange,
} from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { UndoOutOfReachError } from '@roundhouse/storage';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { ApplyRunner } from './apply/apply-runner.service.js';
import { adviceFor, withAdvice } from './database/database-trouble.js';
import { FetchService } from './fetch/fetch.service.js';
import { FollowService } from './follow/follow.service.js';
import { HaltService } from './halt.service.js';
import { SETTINGS, type IndexerSettings } from './indexer.config.js';
import { saySometimes } from './logging/say-sometimes.js';
import { Metrics } from './operations/metrics.service.js';
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
    const sayBroken = this.voice('warn', 'a queue worker had an error; it continues', {
      queue: this.worker.name,
    });
    this.worker.on('error', sayBroken);
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

  /** For a problem that may last for hours, with a retry at every heartbeat. */
  protected voice(level: 'warn' | 'error', message: string, more: object = {}): (error: Error) => void {
    return saySometimes((reason) => this.logger[level]({ ...more, reason }, message));
  }
}

@Processor(QueueName.Follow, WORKER_OPTIONS)
export class FollowWorker extends IndexerWorker<FollowJob> implements BeforeApplicationShutdown {
  protected readonly place = 'following';
  private readonly sayFailed = this.voice('error', 'the source could not be followed; trying again');

  constructor(
    private readonly follow: FollowService,
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

  /** The next heartbeat tries again. The queues report their own trouble. */
  protected translate(error: Error): Error {
    const reason = withAdvice(error);
    this.obstacles.note(this.place, reason);
    if (!isQueueTrouble(error)) this.sayFailed(new Error(reason));
    return error;
  }
}

/** After this many failures in a row, one per heartbeat, the process halts. Database trouble does not count. */
const MOST_FAILURES = 30;

/** Works only in the leading process: `LeaderService` starts, pauses and closes it. */
@Processor(QueueName.Apply, { ...WORKER_OPTIONS, autorun: false })
export class ApplyWorker extends IndexerWorker<ApplyJob> {
  protected readonly place = 'applying';
  private failures = 0;
  private readonly sayTrouble = this.voice(
    'error',
    'the database does not accept the blocks; trying again, nothing is lost',
  );
  private readonly sayUndecided = this.voice(
    'warn',
    'the source could not say whether it forked; asking again',
  );

  constructor(
    private readonly runner: ApplyRunner,
    private readonly queues: JobQueues,
    private readonly halt: HaltService,
  ) {
    super();
  }

  /** A leader goes on with what it has staged itself; another process tells the leader. */
  async goOn(staged: HeightRange): Promise<void> {
    if (!this.runner.leads) await this.queues.applyStaged(staged);
    else if (!this.runner.isRequested) void this.work({ reason: 'staged' }).catch(() => undefined);
  }

  protected async doWork({ reason }: ApplyJob): Promise<void> {
    await this.runner.run(reason);
    this.failures = 0;
  }

  /** Contradictions to the chain halt the process; everything else is retried at the next heartbeat. */
  protected translate(error: Error): Error {
    const reason = withAdvice(error);
    this.obstacles.note(this.place, reason);
    if (error instanceof NodeUnavailableError || error instanceof NodeProtocolError) {
      this.sayUndecided(error);
      return error;
    }
    // The next poll adds the lost jobs again.
    if (isQueueTrouble(error)) return error;
    if (adviceFor(error) !== null) {
      this.sayTrouble(new Error(reason));
      return error;
    }
    this.failures += 1;
    const isHopeless = error instanceof ChainError || error instanceof UndoOutOfReachError;
    if (isHopeless || this.failures >= MOST_FAILURES) this.halt.halt(error);
    else
      this.logger.error({ reason: error.message, failures: this.failures }, 'applying failed; trying again');
    return new UnrecoverableError(error.message);
  }
}

@Processor(QueueName.Fetch, WORKER_OPTIONS)
export class FetchWorker extends IndexerWorker<FetchJob> implements BeforeApplicationShutdown {
  protected readonly place = 'fetching';
  private readonly sayTrouble = this.voice(
    'error',
    'the database does not accept the fetched blocks; trying again, nothing is lost',
  );
  private readonly saySourceless = this.voice('warn', 'the source returns no blocks now; trying again');
  private readonly sayFailed = this.voice('error', 'blocks could not be fetched and staged; trying again');

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly fetches: FetchService,
    private readonly applying: ApplyWorker,
    private readonly metrics: Metrics,
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

  /** An error that the node has to fix is not retried at once; any other is, with backoff. */
  protected translate(error: Error, { from, to, refusals = 0 }: FetchJob): Error {
    this.metrics.countSourceError(error);
    if (error instanceof NodeProtocolError || error instanceof InvalidBlockError) {
      const againInSeconds = refusedPauseMs(refusals + 1) / 1_000;
      this.logger.error(
        { from, to, reason: error.message, times: refusals + 1, againInSeconds },
        'the source returned blocks that cannot be right; nothing of them is stored',
      );
      return new UnrecoverableError(error.message);
    }
    const reason = withAdvice(error);
    this.obstacles.note(this.place, reason);
    this.voiceFor(error)(new Error(reason));
    this.logger.debug({ from, to, reason: error.message }, 'a fetch failed; trying again');
    return error;
  }

  private voiceFor(error: Error): (error: Error) => void {
    if (error instanceof NodeUnavailableError) return this.saySourceless;
    return adviceFor(error) === null ? this.sayFailed : this.sayTrouble;
  }
}
