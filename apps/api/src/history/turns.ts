import { NotReadyError } from '../chain/not-ready.error.js';

/**
 * Does one work after the other, in the order of the calls. `WaitingRequests` does not order: it lets all in at once, up
 * to a number, and refuses the others at once.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly patienceMs: number) {}

  /** Throws `NotReadyError` if the turn does not come within `patienceMs`; then `work` is not done. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.last = before.then(() => ended);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new NotReadyError('Too many requests for payouts are waiting: try again in a moment.')),
        this.patienceMs,
      );
    });
    try {
      await Promise.race([before, late]);
      clearTimeout(timer);
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }
}
