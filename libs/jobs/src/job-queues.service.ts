import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { OnceAdder } from './add-once.js';
import { applyJobId, fetchJobId } from './job-id.js';
import { LONGEST_BACKOFF_MS } from './job-options.js';
import type { ApplyJob, DeliverJob, FetchJob, FollowJob, HeightRange } from './jobs.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

/** How long a range rests after its job failed because the source was unreachable. */
const UNAVAILABLE_PAUSE_MS = 3_000;

/**
 * How long it rests after the source returned an invalid answer. The pause doubles with each further one. The range is
 * never given up.
 */
const FIRST_REFUSED_PAUSE_MS = 2_000;
const LONGEST_REFUSED_PAUSE_MS = 300_000;

/** How long a range rests after this many refusals in a row. */
export const refusedPauseMs = (refusals: number): number =>
  Math.min(FIRST_REFUSED_PAUSE_MS * 2 ** (refusals - 1), LONGEST_REFUSED_PAUSE_MS);

/** If this many nudges wait for a worker, another one adds nothing. */
const MOST_NUDGES = 20;

/**
 * If two jobs wait, one of them is a poll, because at most one plan waits. That poll will ask the source later than
 * now, so another one is not needed.
 */
const MOST_WAITING_POLLS = 2;

export interface JobCount {
  readonly queue: string;
  readonly state: string;
  readonly jobs: number;
}

/** Adds the indexer's jobs to the queues and reads their state. */
@Injectable()
export class JobQueues {
  /** Refused ranges whose pause was over at the last call of `takenRanges`. */
  private refused: readonly FetchJob[] = [];
  /** Resting jobs, and since when (`performance.now()`) this process knows them: wall clocks may step back. */
  private resting: ReadonlyMap<string, number> = new Map();
  private readonly polls: OnceAdder;
  private readonly nudges: OnceAdder;

  constructor(
    @Inject(QUEUE_BACKEND) { onError }: QueueBackend,
    @InjectQueue(QueueName.Follow) private readonly followQueue: Queue<FollowJob>,
    @InjectQueue(QueueName.Fetch) private readonly fetchQueue: Queue<FetchJob>,
    @InjectQueue(QueueName.Apply) private readonly applyQueue: Queue<ApplyJob>,
    @InjectQueue(QueueName.Deliver) private readonly deliverQueue: Queue<DeliverJob>,
  ) {
    for (const queue of this.queues) queue.on('error', onError);
    this.polls = new OnceAdder(followQueue);
    this.nudges = new OnceAdder(applyQueue);
  }

  get queues(): readonly Queue[] {
    return [this.followQueue, this.fetchQueue, this.applyQueue, this.deliverQueue];
  }

  /** Adds one job per `key` within `withinMs`, no matter how many processes call this. */
  async poll(key: string, withinMs: number): Promise<void> {
    if ((await this.followQueue.getWaitingCount()) >= MOST_WAITING_POLLS) return;
    await this.polls.add('poll', { reason: 'poll' }, key, withinMs);
  }

  /**
   * Asks the source at once. If a poll is running, one more follows it, no matter how often this is called meanwhile.
   */
  async pollNow(): Promise<void> {
    await this.followQueue.add(
      'poll',
      { reason: 'poll' },
      { deduplication: { id: 'poll-now', keepLastIfActive: true } },
    );
  }

  /** Asks for new plans; at most one such job waits beside one that runs. */
  async plan(): Promise<void> {
    await this.followQueue.add(
      'plan',
      { reason: 'plan' },
      { deduplication: { id: 'plan', keepLastIfActive: true } },
    );
  }

  async fetch(ranges: readonly HeightRange[]): Promise<void> {
    if (ranges.length === 0) return;
    await this.fetchQueue.addBulk(
      ranges.map(({ from, to }) => ({
        name: 'fetch',
        data: { from, to, refusals: this.refusalsAt(from) },
        // The id only has to change now and then, so a clock that steps back does no harm.
        opts: { jobId: fetchJobId({ from, to }, Date.now()) },
      })),
    );
  }

  /** Tells the leader that `range` is staged. */
  async applyStaged(range: HeightRange): Promise<void> {
    if (await isCrowded(this.applyQueue)) return;
    await this.applyQueue.add('apply', { reason: 'staged' }, { jobId: applyJobId(range) });
  }

  /** Asks the leader to look for work again, at most once within `withinMs`. */
  async apply(reason: ApplyJob['reason'], withinMs: number): Promise<void> {
    if (await isCrowded(this.applyQueue)) return;
    await this.nudges.add('apply', { reason }, reason, withinMs);
  }

  /** Asks the leader to post what waits for a webhook; at most one such job waits beside one that runs. */
  async deliver(webhook: string): Promise<void> {
    const id = `deliver-${webhook}`;
    await this.deliverQueue.add('deliver', { webhook }, { deduplication: { id, keepLastIfActive: true } });
  }

  /** The number of jobs per queue and state. */
  async countJobs(): Promise<JobCount[]> {
    const counts = await Promise.all(
      this.queues.map(async (queue) => {
        const byState = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
        return Object.entries(byState).map(([state, jobs]) => ({ queue: queue.name, state, jobs }));
      }),
    );
    return counts.flat();
  }

  /**
   * The ranges that need no new job now: waiting, running, about to be retried, or failed a short while ago. Jobs
   * that failed longer ago are removed, so that their ranges can be planned again. A clock that steps back makes no
   * job rest longer. `now` is in ms.
   */
  async takenRanges(now: number): Promise<HeightRange[]> {
    const [live, failed] = await Promise.all([
      this.fetchQueue.getJobs(['waiting', 'active', 'delayed', 'prioritized']),
      this.fetchQueue.getJobs(['failed']),
    ]);
    const taken = [...live];
    const refused: FetchJob[] = [];
    const resting = new Map<string, number>();
    const restsFor = (job: Job<FetchJob>): number => {
      const key = `${job.id} ${job.attemptsMade}`;
      const since = this.resting.get(key) ?? performance.now();
      resting.set(key, since);
      return performance.now() - since;
    };
    for (const job of live) {
      // BullMQ reads twice; a job that ended in between is undefined.
      if (job === undefined || job.delay <= 0 || restsFor(job) <= LONGEST_BACKOFF_MS) continue;
      // The job may have become active in the meantime.
      await job.promote().catch(() => undefined);
    }
    for (const job of failed) {
      if (job !== undefined && isResting(job, now, restsFor(job))) taken.push(job);
      else if (job !== undefined) {
        if (wasRefused(job)) refused.push(job.data);
        await job.remove();
      }
    }
    this.refused = refused;
    this.resting = resting;
    return taken.filter((job) => job?.data !== undefined).map(({ data: { from, to } }) => ({ from, to }));
  }

  /** Removes the failed jobs, so that their ranges can be planned at once. */
  async freeFailedRanges(): Promise<void> {
    const failed = await this.fetchQueue.getJobs(['failed']);
    // BullMQ reads twice; a job that ended in between is undefined.
    await Promise.all(failed.map((job) => job?.remove()));
  }

  /**
   * How many times in a row a range that contains this height was refused. The blocks below the invalid block may have
   * been applied since, so a new range may begin in the middle of the range that was refused.
   */
  private refusalsAt(height: number): number {
    const here = this.refused.filter(({ from, to }) => from <= height && height <= to);
    return Math.max(0, ...here.map(({ refusals = 0 }) => refusals + 1));
  }
}

const isCrowded = async (queue: Queue): Promise<boolean> => (await queue.getWaitingCount()) >= MOST_NUDGES;

/**
 * Whether the job failed because the source's answer was invalid, not because the source was unreachable in every
 * try.
 */
const wasRefused = ({ attemptsMade, opts }: Job<FetchJob>): boolean => attemptsMade < (opts.attempts ?? 1);

const isResting = (job: Job<FetchJob>, now: number, knownForMs: number): boolean => {
  if (job.finishedOn === undefined) return false;
  const { refusals = 0 } = job.data;
  const pauseMs = wasRefused(job) ? refusedPauseMs(refusals + 1) : UNAVAILABLE_PAUSE_MS;
  return now - job.finishedOn < pauseMs && knownForMs < pauseMs;
};
