import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { CheckpointRefusedError, readVerificationState } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { ApplyRunner } from '../apply/apply-runner.service.js';
import { withAdvice } from '../database/database-trouble.js';
import { PositionService } from '../follow/current-state.js';
import { rulesOf, SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { problemOf, runVerification, StatementRefusedError } from './run-verification.js';

/** A leader has other work in its first minute, and a failed attempt is repeated after another. */
const REST_MS = 60_000;

/** A timer of 25 days or more ends at once. */
const LONGEST_REST_MS = 86_400_000;

/** Work at a time, with breaks in between: some 30 ms, mostly of hashing and of signatures. */
const PART_SIZE = { headers: 60, transactions: 150 };

const STEP_BLOCKS = 200;

/** Few, because the writer's own ledger is in the same memory. */
const ACCOUNT_CAPACITY = 5_000;

/** A break lasts as many times as long as the work before it. */
const BREAK_FACTOR = 3;
const SHORTEST_BREAK_MS = 5;

const YIELD_MS = 20;

/** If the indexer is further behind, it needs the database for itself. */
const MOST_BEHIND = 50;

const LISTED_ROWS = 3;

/** The last comparison reads from one snapshot, which must not last for hours. */
const LONGEST_YIELD_MS = 60_000;

/** The leader verifies the index every `VERIFY_EVERY` seconds, in the breaks of its work. */
@Injectable()
export class Verifier {
  private leading: AbortController | null = null;
  private ended: Promise<void> = Promise.resolve();
  private resumedAt = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Pool) private readonly pool: Pool,
    private readonly runner: ApplyRunner,
    private readonly position: PositionService,
  ) {}

  lead(): void {
    if (this.settings.VERIFY_EVERY === 0) return;
    this.leading = new AbortController();
    this.ended = this.verifyAgainAndAgain(this.leading.signal);
  }

  /** What was verified by the last step is kept: the next leader continues there. */
  async resign(): Promise<void> {
    this.leading?.abort();
    await this.ended;
  }

  private async verifyAgainAndAgain(signal: AbortSignal): Promise<void> {
    let restMs = Math.min(REST_MS, this.everyMs);
    while (!signal.aborted) {
      try {
        await wait(Math.min(restMs, LONGEST_REST_MS), undefined, { signal });
        restMs = await this.untilDue();
        if (restMs > 0) continue;
        restMs = Math.min(REST_MS, this.everyMs);
        if (!this.isBehind) await this.verify(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.warn(
          { reason: withAdvice(error as Error) },
          'the index could not be verified; trying again, from the last step',
        );
      }
    }
  }

  private get isBehind(): boolean {
    return (this.position.lag ?? 0) > MOST_BEHIND;
  }

  private get everyMs(): number {
    return this.settings.VERIFY_EVERY * 1_000;
  }

  /** Other leaders may have verified the index, and operators. */
  private async untilDue(): Promise<number> {
    const { last } = await readVerificationState(this.pool);
    return last === null ? 0 : Math.max(this.everyMs - last.ageSeconds * 1_000, 0);
  }

  private async verify(signal: AbortSignal): Promise<void> {
    this.resumedAt = performance.now();
    try {
      const report = await runVerification(this.settings.DATABASE_URL, {
        stopsAtFirst: true,
        yields: true,
        listed: LISTED_ROWS,
        stepBlocks: STEP_BLOCKS,
        flushBlocks: STEP_BLOCKS,
        accountCapacity: ACCOUNT_CAPACITY,
        partSize: PART_SIZE,
        rules: rulesOf(this.settings),
        verifiesSignatures: this.settings.VERIFY === 'full',
        onProgress: () => this.takeBreak(signal),
        signal,
      });
      const problem = problemOf(report);
      if (problem !== null) this.report(problem);
      else if (report.head !== null)
        this.logger.info(
          { from: report.from, height: report.head.height },
          'verified the index: it is what its blocks determine',
        );
    } catch (error) {
      if (!(error instanceof CheckpointRefusedError || error instanceof StatementRefusedError)) throw error;
      this.report(error.message);
    }
  }

  private report(found: string): void {
    this.logger.error(
      { found },
      'the index does not match its blocks: nothing was changed. See docs/runbook/monitoring.md, "A verification has found a difference"',
    );
  }

  private async takeBreak(signal: AbortSignal): Promise<void> {
    const worked = performance.now() - this.resumedAt;
    await wait(Math.max(worked * BREAK_FACTOR, SHORTEST_BREAK_MS), undefined, { signal });
    const since = performance.now();
    while (this.runner.isApplying || this.isBehind) {
      if (performance.now() - since > LONGEST_YIELD_MS) throw new Error('The indexer is catching up.');
      await wait(YIELD_MS, undefined, { signal });
    }
    this.resumedAt = performance.now();
  }
}
