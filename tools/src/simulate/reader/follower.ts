import { RoundhouseClient } from '@roundhouse/client';
import { FollowedChain } from './followed-chain.js';

/** A client of /events, which reconnects whenever its stream ends, and continues where it was. */
export class Follower {
  readonly chain = new FollowedChain();
  events = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly apiUrl: string) {}

  start(): void {
    this.running = this.follow();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    try {
      for await (const event of new RoundhouseClient(this.apiUrl).events({ signal })) {
        this.events += 1;
        this.chain.take(event);
      }
    } catch (error) {
      // The client survives everything that happens to an api; what ends it is a mistake in the stream.
      if (!signal.aborted) this.chain.problems.push(`/events: ${(error as Error).message}`);
    }
  }
}
