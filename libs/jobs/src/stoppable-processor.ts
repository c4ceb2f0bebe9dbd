import { WorkerHost } from '@nestjs/bullmq';
import { traced } from '@roundhouse/telemetry';
import { WaitingError, type Job } from 'bullmq';
import { jobSpan } from './job-span.js';

/** Rejects with the reason of `signal` where that comes before `work` ends. */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop: () => void;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
};

/** A processor that can hand the jobs in hand to other processes before they are done. */
export abstract class StoppableProcessor<Data> extends WorkerHost {
  private readonly handover = new AbortController();

  /**
   * Does one job. When the job is given back, nobody waits for the rest of what was begun: it must do no harm beside
   * another process that does the same job.
   */
  protected abstract work(job: Job<Data>): Promise<void>;

  async process(job: Job<Data>, token?: string): Promise<void> {
    const { signal } = this.handover;
    try {
      signal.throwIfAborted();
      const work = traced(jobSpan(job), () => this.work(job));
      await unlessAborted(work, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await job.moveToWait(token);
      // Says to BullMQ that the job has neither succeeded nor failed.
      throw new WaitingError();
    }
  }

  protected get isHandingOver(): boolean {
    return this.handover.signal.aborted;
  }

  /** Takes no more jobs; resolves when those in hand have ended or are given back. */
  close(): Promise<void> {
    return this.worker.close();
  }

  /** Takes no more jobs and gives back those in hand. */
  async stop(): Promise<void> {
    const closed = this.close();
    this.giveBack();
    await closed;
  }

  /** Gives back the jobs in hand, where another process takes them at once, not when their locks run out. */
  giveBack(): void {
    this.handover.abort(new Error('The process stops.'));
  }
}
