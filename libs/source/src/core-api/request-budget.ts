import type { IncomingHttpHeaders } from 'node:http';
import { rateLimitWaitMs } from './rate-limit-wait.js';

/**
 * `now`: about the newest blocks; they must not wait for the rest. `bulk`: long ranges and comparisons, which wait as
 * long as it takes.
 */
export type Urgency = 'now' | 'bulk';

/** What is left of the node's grant for requests that cannot wait: as many as following the tip takes in a minute. */
const RESERVED = 40;
const MOST_RESERVED_PART = 0.4;

const numberOf = (headers: IncomingHttpHeaders, ...names: readonly string[]): number | null => {
  const text = names.map((name) => headers[name]).find((value) => typeof value === 'string');
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
};

/**
 * How many requests a node still grants this address, as its own answers tell (`x-ratelimit-…`): so it counts what other
 * processes ask from here as well. Times are those of `performance.now()`.
 */
export class RequestBudget {
  private limit = Infinity;
  private remaining = Infinity;
  private renewedAt = 0;
  /** No request before this moment: the node has refused one. */
  private refusedUntil = 0;
  private underWay = 0;

  /** How long a request has to wait (ms); 0 where it may be made now. */
  waitMs(urgency: Urgency, now: number): number {
    const untilRenewed =
      now < this.renewedAt && this.remaining <= this.reserved(urgency) ? this.renewedAt : 0;
    return Math.max(this.refusedUntil - now, untilRenewed - now, 0);
  }

  begin(): void {
    this.remaining -= 1;
    this.underWay += 1;
  }

  end(): void {
    this.underWay -= 1;
  }

  /** Takes note of what an answer tells. `clock` is in ms since 1970, for a node that names a moment. */
  told(headers: IncomingHttpHeaders, now: number, clock: number): void {
    const limit = numberOf(headers, 'x-ratelimit-limit', 'x-ratelimit-userlimit');
    const remaining = numberOf(headers, 'x-ratelimit-remaining', 'x-ratelimit-userremaining');
    const { 'retry-after': _, ...moments } = headers;
    const renewedInMs = rateLimitWaitMs(moments, clock);
    if (limit === null || remaining === null || renewedInMs === undefined) return;
    this.limit = limit;
    // Those that are under way have not been counted there yet.
    this.remaining = remaining - this.underWay;
    this.renewedAt = now + renewedInMs;
  }

  refused(retryAfterMs: number, now: number): void {
    this.refusedUntil = Math.max(this.refusedUntil, now + retryAfterMs);
  }

  private reserved(urgency: Urgency): number {
    return urgency === 'now' ? 0 : Math.min(RESERVED, Math.floor(this.limit * MOST_RESERVED_PART));
  }
}
