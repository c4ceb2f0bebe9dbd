import type { IncomingHttpHeaders } from 'node:http';

/** Core's limits span a minute, so no node requires a longer wait than this. */
const LONGEST_WAIT_MS = 65_000;

const textOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A moment in ms: an HTTP date (Core 3.x), or a count of seconds or milliseconds since 1970. */
const momentOf = (text: string): number => {
  if (!/^\d+$/.test(text)) return Date.parse(text);
  return text.length > 11 ? Number(text) : Number(text) * 1000;
};

/**
 * How long a 429 asks us to wait: `retry-after` in decimal seconds, otherwise until `x-ratelimit-reset`. Undefined
 * if neither says: Core 3.x sends 0 when too many database queries are in flight, and the caller's own backoff
 * applies.
 */
export const rateLimitWaitMs = (headers: IncomingHttpHeaders, now: number): number | undefined => {
  const seconds = Number(textOf(headers, 'retry-after') ?? Number.NaN);
  const reset = textOf(headers, 'x-ratelimit-reset') ?? textOf(headers, 'x-ratelimit-userreset') ?? '';
  const waitMs = Number.isNaN(seconds) ? momentOf(reset) - now : seconds * 1000;
  return waitMs > 0 ? Math.min(Math.ceil(waitMs), LONGEST_WAIT_MS) : undefined;
};
