import type { Queue } from 'bullmq';

const MOST_REMEMBERED = 100;

interface Seen {
  readonly jobId: string | undefined;
  readonly since: number;
}

/**
 * Adds a job unless one with the same occasion was added within `withinMs`, by whichever process. BullMQ keeps the
 * moment at which an occasion is over by a wall clock: where that goes back, it would hold for as long as the step.
 */
export class OnceAdder {
  /** The job that an occasion has led to, and since when (`performance.now()`) this process knows of it. */
  private readonly seen = new Map<string, Seen>();

  constructor(private readonly queue: Queue) {}

  async add(name: string, data: object, occasion: string, withinMs: number): Promise<void> {
    if (await this.isAdded(name, data, occasion, withinMs)) return;
    await this.queue.removeDeduplicationKey(occasion);
    await this.isAdded(name, data, occasion, withinMs);
  }

  /** Whether the queue holds a job of this occasion that is no older than it may be. */
  private async isAdded(name: string, data: object, occasion: string, withinMs: number): Promise<boolean> {
    // Where there is one already, this gives its id.
    const { id } = await this.queue.add(name, data, { deduplication: { id: occasion, ttl: withinMs } });
    const seen = this.seen.get(occasion);
    if (seen !== undefined && seen.jobId === id) return performance.now() - seen.since <= withinMs;
    if (this.seen.size >= MOST_REMEMBERED) this.seen.clear();
    this.seen.set(occasion, { jobId: id, since: performance.now() });
    return true;
  }
}
