import { createHash } from 'node:crypto';
import type { Coding } from './acceptance.js';

export const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** The tag of the same content in a coding: its bytes differ, so its tag must differ too. */
export const codedEtag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`);

export interface Description {
  /** For metrics and traces. */
  readonly route: string;
  readonly contentType: string;
  /** Sent with every form of these bytes; each name is followed by its value. */
  readonly headers: readonly string[];
}

/** Bytes with all their headers, ready to be sent. */
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

  /** Whether the client already has these bytes (RFC 9110, If-None-Match: the weak comparison). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    if (ifNoneMatch === this.etag || ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.etag);
  }
}
