import { WorkerHost } from '@nestjs/bullmq';
import { traced } from '@roundhouse/telemetry';
import { WaitingError, type Job } from 'bullmq';
import { jobSpan } from './job-span.js';

/** Rejects with the reason of `signal` if it is aborted before `work` ends. */
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

/** A processor that can give its running jobs back, so that other processes take them. */
export abstract class StoppableProcessor<Data> extends WorkerHost {
  private readonly handover = new AbortController();

  /**
   * Does the work of one job, which need not come from a queue. If the job is given back, nothing waits for the rest of
   * this work, so it must do no harm while another process does the same job.
   */
  abstract work(data: Data): Promise<void>;

  async process(job: Job<Data>, token?: string): Promise<void> {
    const { signal } = this.handover;
    try {
      signal.throwIfAborted();
      const work = traced(jobSpan(job), () => this.work(job.data));
      await unlessAborted(work, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await job.moveToWait(token);
      // Tells BullMQ that the job has neither succeeded nor failed.
      throw new WaitingError();
    }
  }

  protected get isHandingOver(): boolean {
    return this.handover.signal.aborted;
  }

  /** Takes no more jobs; resolves when the running ones have ended or are given back. */
  close(): Promise<void> {
    return this.worker.close();
  }

  /** Takes no more jobs and gives the running ones back. */
  async stop(): Promise<void> {
    const closed = this.close();
    this.giveBack();
    await closed;
  }

  /** Gives the running jobs back. Another process takes them at once, without waiting for their locks to expire. */
  giveBack(): void {
    this.handover.abort(new Error('The process is stopping.'));
  }
}
