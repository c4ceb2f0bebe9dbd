import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';

/** Told to everybody when the process is to end, and knows what has not ended yet. */
@Injectable()
export class Stopping {
  private readonly controller = new AbortController();
  private readonly underWay = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Aborted from the moment on at which nothing new may begin. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The steps that are not done, in the order of their beginnings. */
  get unfinished(): readonly string[] {
    return [...this.underWay];
  }

  begin(): void {
    this.controller.abort();
  }

  /** A step that fails is told and holds up no other. */
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
