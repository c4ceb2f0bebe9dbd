import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';

/** Signals that the process is to end, and knows which steps of that have not ended yet. */
@Injectable()
export class Stopping {
  private readonly controller = new AbortController();
  private readonly underWay = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Once it is aborted, nothing new may begin. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Waits; at most until the process is to end. */
  async pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** Logs the steps that are not done, in the order in which they began. */
  warnOfUnfinished(): void {
    this.logger.warn(
      { unfinished: [...this.underWay] },
      'ended without waiting for steps that did not end; nothing is half written',
    );
  }

  begin(): void {
    this.controller.abort();
  }

  /** A step that fails is logged, and the others continue. */
  async step(name: string, work: () => Promise<void>): Promise<void> {
    this.underWay.add(name);
    try {
      await work();
    } catch (error) {
      this.logger.warn({ step: name, reason: (error as Error).message }, 'a step of the stop failed');
    }
    this.underWay.delete(name);
  }
}
