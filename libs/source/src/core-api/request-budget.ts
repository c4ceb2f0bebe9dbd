import type { IncomingHttpHeaders } from 'node:http';

/**
 * `now`: about the newest blocks; does not wait for other requests. `bulk`: long ranges and comparisons, which wait as
 * long as necessary.
 */
export type Urgency = 'now' | 'bulk';

/** Core's limits span a minute, so no node requires a longer wait than this. */
const LONGEST_WAIT_MS = 65_000;

/** The value of the first of these headers that there is. */
const textOf = (headers: IncomingHttpHeaders, ...names: readonly string[]): string | undefined =>
  names.map((name) => headers[name]).find((value) => typeof value === 'string');

/** The time by the node's clock, which need not agree with ours; ms since 1970. */
export const clockOf = ({ date }: IncomingHttpHeaders): number => {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
};

/** A moment in ms: an HTTP date (Core 3.x), or a count of seconds or milliseconds since 1970. */
const momentOf = (text: string): number => {
  if (!/^\d+$/.test(text)) return Date.parse(text);
  return text.length > 11 ? Number(text) : Number(text) * 1000;
};

/** How long until the node grants more: `retry-after` in decimal seconds, otherwise until `x-ratelimit-reset`; undefined if it does not say. */
const renewalMs = (headers: IncomingHttpHeaders, now: number): number | undefined => {
  const seconds = Number(textOf(headers, 'retry-after') ?? Number.NaN);
  const reset = textOf(headers, 'x-ratelimit-reset', 'x-ratelimit-userreset') ?? '';
  const waitMs = Number.isNaN(seconds) ? momentOf(reset) - now : seconds * 1000;
  return waitMs > 0 ? Math.min(Math.ceil(waitMs), LONGEST_WAIT_MS) : undefined;
};

const numberOf = (headers: IncomingHttpHeaders, ...names: readonly string[]): number | null => {
  const text = textOf(headers, ...names);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
};

/**
 * How long a 429 asks us to wait. Undefined if it asks for no wait; then the caller's own backoff applies: a node of 3.x that has
 * too many database queries in flight still grants requests.
 */
export const rateLimitWaitMs = (headers: IncomingHttpHeaders, now: number): number | undefined =>
  (numberOf(headers, 'x-ratelimit-remaining') ?? 0) > 0 ? undefined : renewalMs(headers, now);

/** How many requests a node grants, by the headers of an answer. */
interface Grant {
  /** In one period. */
  readonly limit: number;
  /** In what is left of this period. */
  readonly remaining: number;
  /** Until the next period begins. */
  readonly renewedInMs: number;
}

/** Null if the headers do not tell, or if the period is over. `clock` is in ms since 1970, by the node's clock. */
export const grantOf = (headers: IncomingHttpHeaders, clock: number): Grant | null => {
  const limit = numberOf(headers, 'x-ratelimit-limit', 'x-ratelimit-userlimit');
  const remaining = numberOf(headers, 'x-ratelimit-remaining', 'x-ratelimit-userremaining');
  const { 'retry-after': _, ...moments } = headers;
  const renewedInMs = renewalMs(moments, clock);
  return limit === null || remaining === null || renewedInMs === undefined
    ? null
    : { limit, remaining, renewedInMs };
};

/** Requests reserved for `now`: as many as it takes to follow the tip for a minute. */
const RESERVED = 40;
const MOST_RESERVED_PART = 0.4;

/** How many requests of a node's limit are not used for `bulk`. */
export const reservedOf = (limit: number): number =>
  Math.min(RESERVED, Math.floor(limit * MOST_RESERVED_PART));

/**
 * How many requests a node still grants this address, according to its answers (`x-ratelimit-…`). This includes the
 * requests of other processes at this address. Times are those of `performance.now()`.
 */
export class RequestBudget {
  private limit = Infinity;
  private remaining = Infinity;
  private renewedAt = 0;
  /** No requests before this time, because the node has refused one. */
  private refusedUntil = 0;
  private underWay = 0;

  /** How long a request has to wait, in ms; 0 if it can be made now. */
  waitMs(urgency: Urgency, now: number): number {
    const reserved = urgency === 'now' ? 0 : reservedOf(this.limit);
    const untilRenewed = now < this.renewedAt && this.remaining <= reserved ? this.renewedAt : 0;
    return Math.max(this.refusedUntil - now, untilRenewed - now, 0);
  }

  begin(): void {
    this.remaining -= 1;
    this.underWay += 1;
  }

  end(): void {
    this.underWay -= 1;
  }

  /** Records what an answer reports. `clock` is in ms since 1970, for a node that sends a point in time. */
  told(headers: IncomingHttpHeaders, now: number, clock: number): void {
    const grant = grantOf(headers, clock);
    if (grant === null) return;
    this.limit = grant.limit;
    // The node has not counted the requests under way yet.
    this.remaining = grant.remaining - this.underWay;
    this.renewedAt = now + grant.renewedInMs;
  }

  refused(retryAfterMs: number, now: number): void {
    this.refusedUntil = Math.max(this.refusedUntil, now + retryAfterMs);
  }
}
