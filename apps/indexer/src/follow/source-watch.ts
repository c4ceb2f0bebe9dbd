import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { NodeUnavailableError } from '@roundhouse/source';
import type { Logger } from 'pino';
import { Metrics } from '../operations/metrics.service.js';
import { Obstacles } from '../operations/obstacles.service.js';

const REPEAT_MS = 60_000;

/** A source that hangs fails only after several tries of 15 s each. */
const SLOW_MS = 5_000;

interface Failure {
  readonly since: number;
  readonly error: Error;
}

/** A node that grants no more requests for a while is well; readiness shows that pause under `source`. */
const isObstacle = (error: Error): boolean =>
  !(error instanceof NodeUnavailableError && error.kind === 'rate-limited');

/**
 * Logs one line when the source stops answering, one a minute while it is away, and one when it answers again. Readiness
 * shows that it is away.
 */
@Injectable()
export class SourceWatch {
  private failure: Failure | null = null;
  private saidAt = -Infinity;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly obstacles: Obstacles,
  ) {}

  get isAway(): boolean {
    return this.failure !== null;
  }

  /** Resolves with the answer of the source, or with null if there is none. */
  async answerOf<T>(asked: Promise<T>): Promise<T | null> {
    let isSlow = false;
    const waiting = setInterval(() => {
      if (!isSlow) this.sayThatItIsSlow();
      isSlow = true;
      this.show();
    }, SLOW_MS).unref();
    try {
      const answer = await asked;
      this.answered();
      return answer;
    } catch (error) {
      this.failed(error as Error);
      return null;
    } finally {
      clearInterval(waiting);
    }
  }

  private sayThatItIsSlow(): void {
    if (this.failure === null)
      this.logger.warn({ seconds: SLOW_MS / 1000 }, 'the source has not answered yet; waiting');
  }

  /** While it lasts, a failure is shown again and again, because `Obstacles` forgets. */
  private show(): void {
    if (this.failure !== null && isObstacle(this.failure.error))
      this.obstacles.note('source', this.failure.error.message);
  }

  private failed(error: Error): void {
    this.metrics.countSourceError(error);
    const now = performance.now();
    this.failure = { since: this.failure?.since ?? now, error };
    this.show();
    if (now - this.saidAt < REPEAT_MS) return;
    this.saidAt = now;
    const seconds = Math.round((now - this.failure.since) / 1000);
    this.logger.warn({ reason: error.message, seconds }, 'the source does not answer; trying again');
  }

  private answered(): void {
    if (this.failure === null) return;
    const seconds = Math.round((performance.now() - this.failure.since) / 1000);
    this.failure = null;
    this.saidAt = -Infinity;
    this.obstacles.clear('source');
    this.logger.info({ seconds }, 'the source answers again');
  }
}
