import type { ServerResponse } from 'node:http';
import { NotReadyError } from '../chain/not-ready.error.js';

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (error: NotReadyError) => void;
}

/** Limits how many answers are streamed at the same time. The others wait in order, unless their client leaves. */
export class StreamPlaces {
  private taken = 0;
  private readonly queue = new Set<Waiting>();
  private refused = 0;
  private isClosed = false;

  constructor(
    private readonly most: number,
    private readonly mostWaiting: number,
  ) {}

  get takenCount(): number {
    return this.taken;
  }

  get waitingCount(): number {
    return this.queue.size;
  }

  /** How many were refused since the start because too many waited. */
  get refusedCount(): number {
    return this.refused;
  }

  /**
   * Resolves with true when there is a place for the answer to `response`; the caller must free it. Resolves with false
   * if the client has left. Throws `NotReadyError`.
   */
  async take(response: ServerResponse): Promise<boolean> {
    if (response.destroyed) return false;
    if (this.taken < this.most) {
      this.taken += 1;
      return true;
    }
    if (this.isClosed) throw stopping();
    if (this.queue.size >= this.mostWaiting) {
      this.refused += 1;
      throw new NotReadyError('Too many long lists wait to be sent already; try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.delete(waiting);
        resolve(false);
      };
      const waiting: Waiting = {
        enter: () => {
          response.off('close', leave);
          resolve(true);
        },
        refuse: reject,
      };
      this.queue.add(waiting);
      response.once('close', leave);
    });
  }

  /** Gives the place to the next that waits. */
  free(): void {
    const [next] = this.queue;
    if (!next) {
      this.taken -= 1;
      return;
    }
    this.queue.delete(next);
    next.enter();
  }

  /** Refuses those that wait, and lets nobody wait from now on. */
  close(): void {
    this.isClosed = true;
    for (const { refuse } of this.queue) refuse(stopping());
    this.queue.clear();
  }
}

const stopping = (): NotReadyError => new NotReadyError('This server is stopping; try again in a moment.');
