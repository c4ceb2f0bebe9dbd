import type { IncomingHttpHeaders } from 'node:http';
import { grantOf } from '../core-api/request-budget.js';
import type { RateLimit } from './source-report.js';

/** Core's periods last a minute unless the node's operator sets another length. */
const USUAL_PERIOD_MS = 60_000;

/** Collects what the headers of a node's answers show. */
export class WatchedHeaders {
  requests = 0;
  rateLimit: RateLimit | null = null;
  clockAheadSeconds: number | null = null;

  /** `now`: this machine's clock, ms since 1970. */
  note(headers: IncomingHttpHeaders, now: number): void {
    this.requests += 1;
    const told = Date.parse(headers.date ?? '');
    if (!Number.isNaN(told)) {
      // The header has whole seconds, rounded down.
      const ahead = (told - now) / 1_000;
      const seconds = ahead > -1 && ahead <= 0 ? 0 : Math.round(ahead);
      // A slow answer makes the node's clock look late: the smallest difference comes closest.
      const smallest = this.clockAheadSeconds;
      if (smallest === null || Math.abs(seconds) < Math.abs(smallest)) this.clockAheadSeconds = seconds;
    }
    const grant = grantOf(headers, Number.isNaN(told) ? now : told);
    if (grant === null) return;
    const periodMs = Math.max(
      grant.renewedInMs,
      USUAL_PERIOD_MS,
      (this.rateLimit?.periodSeconds ?? 0) * 1_000,
    );
    this.rateLimit = { requests: grant.limit, periodSeconds: Math.ceil(periodMs / 1_000) };
  }
}
