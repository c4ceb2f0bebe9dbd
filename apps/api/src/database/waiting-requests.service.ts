import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { NotReadyError } from '../chain/not-ready.error.js';

/** How long after a refusal the api counts as full. */
const FULL_FOR_MS = 1000;

/** Limits how many requests wait for the database: accepting more would only make all of them wait longer. */
@Injectable()
export class WaitingRequests {
  readonly most: number;
  private waiting = 0;
  private refused = 0;
  private refusedAt = Number.NEGATIVE_INFINITY;

  constructor(@Inject(SETTINGS) { MAX_WAITING_REQUESTS }: ApiSettings) {
    this.most = MAX_WAITING_REQUESTS;
  }

  get count(): number {
    return this.waiting;
  }

  /** Since the start. */
  get refusedCount(): number {
    return this.refused;
  }

  get isFull(): boolean {
    return performance.now() - this.refusedAt < FULL_FOR_MS;
  }

  /** Throws `NotReadyError` at once if too many requests are waiting already. */
  async wait<T>(answer: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.most) {
      this.refused += 1;
      this.refusedAt = performance.now();
      throw new NotReadyError('Too many requests wait for an answer already; try again in a moment.');
    }
    this.waiting += 1;
    try {
      return await answer();
    } finally {
      this.waiting -= 1;
    }
  }
}
