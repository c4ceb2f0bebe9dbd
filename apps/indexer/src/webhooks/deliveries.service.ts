import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { deliverPauseMs, JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import {
  advanceReceiver,
  findReceiver,
  listDueWebhooks,
  listWaiting,
  noteFailedPost,
  pruneEvents,
  type Receiver,
  type WaitingEvent,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { ApplyRunner } from '../apply/apply-runner.service.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { Metrics } from '../operations/metrics.service.js';
import { meetsConditions } from './conditions.js';
import { postedBody, postEvent, PostError } from './post-event.js';

/** How often the rows are looked at for what no job was added for. */
const LOOK_MS = 1_000;

/** If no job has begun by then, the queues have lost it: the leader posts without them. */
const OVERDUE_MS = 7_000;

const PRUNE_MS = 10_000;

/** How long the posts that are under way may take when this process stops to lead. */
const LAST_POST_MS = 5_000;

/** Events that are read at a time. */
const READ_EVENTS = 100;

/**
 * Posts the events that wait for webhooks, while this process leads: for each webhook one after the other, and each until it
 * is accepted. The rows say what waits; jobs say only when to look. At the end of a chain there are no jobs.
 */
@Injectable()
export class Deliveries {
  private leading: AbortController | null = null;
  private lookedAt: Promise<void> = Promise.resolve();
  /** Whether a look follows the one that runs. */
  private isWanted = false;
  private readonly running = new Map<string, Promise<void>>();
  /** Webhooks for which something waits, and since when this process knows (`performance.now()`). */
  private due = new Map<string, number>();
  /** Jobs that the queues have not taken yet. */
  private readonly adding = new Map<string, Promise<void>>();
  private prunedAt = 0;
  private readonly sayTrouble = saySometimes((reason) =>
    this.logger.warn({ reason }, 'the events that wait for webhooks cannot be read; trying again'),
  );

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() private readonly queues?: JobQueues,
    @Optional() private readonly runner?: ApplyRunner,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  lead(): void {
    const leading = new AbortController();
    this.leading = leading;
    const look = (): void => this.look();
    if (this.runner) this.runner.onNews = look;
    const timer = setInterval(look, LOOK_MS);
    leading.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Resolves when the posts that are under way have ended, or take too long: those may be posted again. */
  async resign(): Promise<void> {
    this.leading?.abort();
    this.leading = null;
    if (this.runner) this.runner.onNews = () => undefined;
    const ended = Promise.allSettled([this.lookedAt, ...this.adding.values(), ...this.running.values()]);
    await Promise.race([ended, wait(LAST_POST_MS, undefined, { ref: false })]);
  }

  /** Posts what waits for one webhook. Rejects with `PostError` if it does not accept an event. */
  deliver(id: string): Promise<void> {
    const running = this.running.get(id);
    if (running !== undefined || this.leading === null) return running ?? Promise.resolve();
    const run = this.postAll(id, this.leading.signal).finally(() => this.running.delete(id));
    this.running.set(id, run);
    return run;
  }

  /** Adds jobs for what waits. One look at a time; a call during a look causes one more. */
  private look(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.lookedAt = this.lookedAt
      .then(() => {
        this.isWanted = false;
        return this.lookOnce();
      })
      .catch((error: Error) => this.sayTrouble(error));
  }

  private async lookOnce(): Promise<void> {
    if (this.leading === null) return;
    const now = performance.now();
    const ids = await listDueWebhooks(this.pool);
    this.due = new Map(ids.map((id) => [id, this.due.get(id) ?? now]));
    for (const [id, since] of this.due) {
      if (this.running.has(id)) this.due.set(id, now);
      else if (this.queues && now - since < OVERDUE_MS) this.addJob(this.queues, id);
      else
        void this.deliver(id).catch((error: Error) => {
          // `post` has told of those.
          if (!(error instanceof PostError)) this.sayTrouble(error);
        });
    }
    if (now - this.prunedAt < PRUNE_MS) return;
    this.prunedAt = now;
    await this.prune();
  }

  /** Nobody waits for it: queues that are lost answer only when they are back. */
  private addJob(queues: JobQueues, id: string): void {
    if (this.adding.has(id)) return;
    const added = queues
      .deliver(id)
      .catch((error: Error) => this.sayTrouble(error))
      .finally(() => this.adding.delete(id));
    this.adding.set(id, added);
  }

  private async prune(): Promise<void> {
    const client = await this.pool.connect();
    try {
      for (const { id, events } of await pruneEvents(client, this.settings.CORE_WEBHOOKS_QUEUE))
        this.logger.warn(
          { webhook: id, events },
          'events for a webhook are dropped: more wait than CORE_WEBHOOKS_QUEUE',
        );
    } finally {
      client.release();
    }
  }

  private async postAll(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const receiver = await findReceiver(this.pool, id);
      if (receiver === null) return;
      const waiting = await listWaiting(this.pool, receiver, READ_EVENTS);
      if (waiting.length === 0) return;
      await this.postThese(receiver, waiting, signal);
    }
  }

  /** Ends early if the webhook is changed meanwhile. */
  private async postThese(
    as: Receiver,
    waiting: readonly WaitingEvent[],
    signal: AbortSignal,
  ): Promise<void> {
    const conditions: unknown = JSON.parse(as.conditions);
    let receiver: Receiver | null = as;
    let skipped: bigint | null = null;
    for (const { sequence, data } of waiting) {
      skipped = sequence;
      const isMet = await meetsConditions(data, conditions);
      if (signal.aborted) return;
      if (!isMet) continue;
      await this.post(receiver, data);
      receiver = await advanceReceiver(this.pool, receiver, sequence);
      if (receiver === null) return;
      skipped = null;
    }
    if (skipped !== null) await advanceReceiver(this.pool, receiver, skipped);
  }

  private async post(receiver: Receiver, data: string | null): Promise<void> {
    const { id, event, target, token, failures } = receiver;
    const { CORE_WEBHOOKS_TIMEOUT: timeoutMs, CORE_WEBHOOKS_TARGETS: targets } = this.settings;
    try {
      const options = { timeoutMs, allowsPrivate: targets === 'any' };
      await postEvent(target, token, postedBody(event, data, Date.now()), options);
      this.metrics?.countPost('accepted');
      if (failures > 0) this.logger.info({ webhook: id, failures }, 'a webhook accepts events again');
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      this.metrics?.countPost('failed');
      const pauseMs = deliverPauseMs(failures + 1);
      const report = { webhook: id, event, reason: error.message, failures: failures + 1 };
      const say = failures === 0 ? 'warn' : 'debug';
      this.logger[say](
        { ...report, againInSeconds: pauseMs / 1_000 },
        'a webhook does not accept an event; it is posted again',
      );
      await noteFailedPost(this.pool, receiver, pauseMs);
      throw error;
    }
  }
}
