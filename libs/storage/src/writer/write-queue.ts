import type { ClientBase } from 'pg';

interface Step {
  readonly work: () => Promise<unknown>;
  readonly sizeBytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs steps on one connection, one after the other, while the caller makes the next ones. After a failed step, no
 * waiting step is run: each is rejected with the same error, and the open transaction is rolled back.
 */
export class WriteQueue {
  private readonly waiting: Step[] = [];
  private readonly roomWanted: (() => void)[] = [];
  private pendingBytes = 0;
  private isRunning = false;
  private failure: Error | null = null;

  constructor(
    private readonly client: ClientBase,
    private readonly limitBytes: number,
  ) {}

  /** `sizeBytes` is the memory that the step holds until it has run. */
  add<T>(work: () => Promise<T>, sizeBytes = 0): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, sizeBytes, resolve: resolve as Step['resolve'], reject });
    });
    // Callers do not await most steps. The next call that adds a step or waits gets the error.
    done.catch(() => undefined);
    this.pendingBytes += sizeBytes;
    void this.run();
    return done;
  }

  /** Resolves when less than the limit is pending. Throws the error of a failed step. */
  async room(): Promise<void> {
    while (this.failure === null && this.pendingBytes > this.limitBytes) {
      await new Promise<void>((resolve) => this.roomWanted.push(resolve));
    }
    if (this.failure) throw this.failure;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let step = this.waiting.shift(); step; step = this.waiting.shift()) await this.runStep(step);
    this.isRunning = false;
  }

  private async runStep({ work, sizeBytes, resolve, reject }: Step): Promise<void> {
    try {
      if (this.failure) throw this.failure;
      resolve(await work());
    } catch (error) {
      if (this.failure === null) await this.fail(error as Error);
      reject(error);
    }
    this.pendingBytes -= sizeBytes;
    for (const wanted of this.roomWanted.splice(0)) wanted();
  }

  private async fail(error: Error): Promise<void> {
    this.failure = error;
    // ROLLBACK fails if the connection is lost. Report the first error, which says why.
    await this.client.query('ROLLBACK').catch(() => undefined);
  }
}
