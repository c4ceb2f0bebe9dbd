import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { OnceAdder } from './add-once.js';
import { applyJobId, fetchJobId } from './job-id.js';
import { LONGEST_BACKOFF_MS } from './job-options.js';
import type { ApplyJob, FetchJob, FollowJob, HeightRange } from './jobs.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { QueueName } from './queue-name.js';

/** How long a range is left alone whose job failed because the source was out of reach. */
const UNAVAILABLE_PAUSE_MS = 3_000;

/** And where it gave what cannot be right: twice as long after each further time, but never given up. */
const FIRST_REFUSED_PAUSE_MS = 2_000;
const LONGEST_REFUSED_PAUSE_MS = 300_000;

/** How long a range rests after so many refusals in a row, the last one included. */
export const refusedPauseMs = (refusals: number): number =>
  Math.min(FIRST_REFUSED_PAUSE_MS * 2 ** (refusals - 1), LONGEST_REFUSED_PAUSE_MS);

/** Where so many nudges wait for a worker that is busy or away, another one would tell it nothing new. */
const MOST_NUDGES = 20;

/** A poll that waits will ask later than now, and asks for all. At most one plan waits beside it. */
const MOST_WAITING_POLLS = 2;

export interface JobCount {
  readonly queue: string;
  readonly state: string;
  readonly jobs: number;
}

/** Everything that the indexer puts into the queues, and what it reads from them. */
@Injectable()
export class JobQueues {
  /** Of the last look: ranges that were refused and are free again. */
  private refused: readonly FetchJob[] = [];
  /** Jobs that rest, and since when (`performance.now()`) this process has known it: wall clocks may go back. */
  private resting: ReadonlyMap<string, number> = new Map();
  private readonly polls: OnceAdder;
  private readonly nudges: OnceAdder;

  constructor(
    @Inject(QUEUE_BACKEND) { onError }: QueueBackend,
    @InjectQueue(QueueName.Follow) private readonly followQueue: Queue<FollowJob>,
    @InjectQueue(QueueName.Fetch) private readonly fetchQueue: Queue<FetchJob>,
    @InjectQueue(QueueName.Apply) private readonly applyQueue: Queue<ApplyJob>,
  ) {
    for (const queue of this.queues) queue.on('error', onError);
    this.polls = new OnceAdder(followQueue);
    this.nudges = new OnceAdder(applyQueue);
  }

  get queues(): readonly Queue[] {
    return [this.followQueue, this.fetchQueue, this.applyQueue];
  }

  /** `key` names the occasion: however many processes ask, within `withinMs` it becomes one job. */
  async poll(key: string, withinMs: number): Promise<void> {
    if ((await this.followQueue.getWaitingCount()) >= MOST_WAITING_POLLS) return;
    await this.polls.add('poll', { reason: 'poll' }, key, withinMs);
  }

  /** Asks the source at once, once more after a poll that runs already, however often it is called meanwhile. */
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
        // It need only be another name now and then, which a clock that steps gives as well.
        opts: { jobId: fetchJobId({ from, to }, Date.now()) },
      })),
    );
  }

  /** Says that `range` is staged. */
  async applyStaged(range: HeightRange): Promise<void> {
    if (await isCrowded(this.applyQueue)) return;
    await this.applyQueue.add('apply', { reason: 'staged' }, { jobId: applyJobId(range) });
  }

  /** Asks the leader to look again, at most once within `withinMs`. */
  async apply(reason: ApplyJob['reason'], withinMs: number): Promise<void> {
    if (await isCrowded(this.applyQueue)) return;
    await this.nudges.add('apply', { reason }, reason, withinMs);
  }

  /** How many jobs of each queue are in each state that matters. */
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
   * The ranges that need no new job now: waiting, running, due for another try, or failed a short while ago. A job
   * that failed longer ago is removed, so that its range can be planned again. No job rests longer than it should
   * because a clock went back. `now` is in ms.
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
      // A job that ended between the two reads of BullMQ comes as undefined.
      if (job === undefined || job.delay <= 0 || restsFor(job) <= LONGEST_BACKOFF_MS) continue;
      // It may just have come to its turn.
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

  /** Ranges that rest after a failure can be planned at once. */
  async freeFailedRanges(): Promise<void> {
    const failed = await this.fetchQueue.getJobs(['failed']);
    // A job that ended between the two reads of BullMQ comes as undefined.
    await Promise.all(failed.map((job) => job?.remove()));
  }

  /** The blocks below the wrong one may have been applied meanwhile: what counts is where the range began anew. */
  private refusalsAt(height: number): number {
    const here = this.refused.filter(({ from, to }) => from <= height && height <= to);
    return Math.max(0, ...here.map(({ refusals = 0 }) => refusals + 1));
  }
}

const isCrowded = async (queue: Queue): Promise<boolean> => (await queue.getWaitingCount()) >= MOST_NUDGES;

/** Whether a failed job was ended by what the source gave, and not by a source that stayed away through all tries. */
const wasRefused = ({ attemptsMade, opts }: Job<FetchJob>): boolean => attemptsMade < (opts.attempts ?? 1);

const isResting = (job: Job<FetchJob>, now: number, knownForMs: number): boolean => {
  if (job.finishedOn === undefined) return false;
  const { refusals = 0 } = job.data;
  const pauseMs = wasRefused(job) ? refusedPauseMs(refusals + 1) : UNAVAILABLE_PAUSE_MS;
  return now - job.finishedOn < pauseMs && knownForMs < pauseMs;
};
