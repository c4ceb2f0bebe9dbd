import type { Queue } from 'bullmq';

const MOST_REMEMBERED = 100;

interface Seen {
  readonly jobId: string | undefined;
  readonly since: number;
}

/**
 * Adds a job unless any process added one for the same occasion within `withinMs`. BullMQ measures that time by the
 * wall clock, so its entry would live too long if the clock steps back. This class measures it by `performance.now()`,
 * too.
 */
export class OnceAdder {
  /** By occasion: the job, and when (`performance.now()`) this process first saw it. */
  private readonly seen = new Map<string, Seen>();

  constructor(private readonly queue: Queue) {}

  async add(name: string, data: object, occasion: string, withinMs: number): Promise<void> {
    if (await this.isAdded(name, data, occasion, withinMs)) return;
    await this.queue.removeDeduplicationKey(occasion);
    await this.isAdded(name, data, occasion, withinMs);
  }

  /** Whether the queue holds a job of this occasion that is not older than `withinMs`. */
  private async isAdded(name: string, data: object, occasion: string, withinMs: number): Promise<boolean> {
    // Returns the id of the existing job if there is one.
    const { id } = await this.queue.add(name, data, { deduplication: { id: occasion, ttl: withinMs } });
    const seen = this.seen.get(occasion);
    if (seen !== undefined && seen.jobId === id) return performance.now() - seen.since <= withinMs;
    if (this.seen.size >= MOST_REMEMBERED) this.seen.clear();
    this.seen.set(occasion, { jobId: id, since: performance.now() });
    return true;
  }
}
