import { createHash } from 'node:crypto';
import type { Coding } from '../answers/acceptance.js';

export const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

export interface Description {
  /** For the figures. */
  readonly route: string;
  readonly contentType: string;
  /** What the answer that these bytes belong to always has, in the flat form that `writeHead` takes. */
  readonly headers: readonly string[];
}

/** Bytes that are sent as they are, with their headers in the flat form that `writeHead` takes. */
export class ReadyBytes {
  readonly route: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];

  constructor(
    { route, contentType, headers }: Description,
    readonly body: Buffer,
    readonly etag: string,
    coding: Coding | null,
  ) {
    this.route = route;
    this.notModifiedHeaders = [...headers, 'ETag', etag];
    this.headers = [
      'Content-Type',
      contentType,
      'Content-Length',
      String(body.length),
      ...(coding === null ? [] : ['Content-Encoding', coding]),
      ...this.notModifiedHeaders,
    ];
  }

  /** Whether the client has these very bytes already (RFC 9110, If-None-Match: the weak comparison). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    if (ifNoneMatch === this.etag || ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.etag);
  }
}
