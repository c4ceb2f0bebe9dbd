import { setTimeout as wait } from 'node:timers/promises';
import { readEvents } from './event-stream.js';
import { FollowedChain } from './followed-chain.js';

const AGAIN_MS = 300;

/** A client of /events that reconnects whenever its stream ends, and continues where it was. */
export class Follower {
  readonly chain = new FollowedChain();
  events = 0;
  connections = 0;
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
    while (!signal.aborted) {
      await this.connect().catch((error: unknown) => this.breakOff(error));
      await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async connect(): Promise<void> {
    const { lastEventId } = this.chain;
    const response = await fetch(`${this.apiUrl}/events`, {
      headers: lastEventId === null ? {} : { 'Last-Event-ID': lastEventId },
      signal: this.stopping.signal,
    });
    if (!response.ok || response.body === null) return void (await response.body?.cancel());
    this.connections += 1;
    for await (const event of readEvents(response.body)) {
      this.events += 1;
      this.chain.take(event);
    }
  }

  /** A stream may break when the api is killed. Any other error is a mistake in the stream. */
  private breakOff(error: unknown): void {
    if (error instanceof SyntaxError || error instanceof RangeError)
      this.chain.problems.push(`/events: an event that cannot be read (${error.message})`);
  }
}
