import { createHash } from 'node:crypto';
import type { ChainView } from '../chain/chain-view.js';
import { chainHeaders } from '../http/chain-headers.js';
import { CACHE_CONTROL, COMMON_HEADERS, JSON_TYPE } from '../http/headers.js';

/** What a map entry and the headers cost beside the body, roughly. */
const OVERHEAD_BYTES = 1024;

/** Ready bytes: the body and its headers in the flat form that `writeHead` takes. */
export class Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];

  /** @param basis what the answer was made from; it is good as long as that is the newest */
  constructor(
    json: string,
    readonly basis: object,
    readonly view: ChainView,
  ) {
    this.body = Buffer.from(json);
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url').slice(0, 22)}"`;
    this.notModifiedHeaders = [
      ...COMMON_HEADERS,
      ...CACHE_CONTROL,
      ...chainHeaders(view.headOrNull),
      'ETag',
      this.etag,
    ];
    this.headers = [
      'Content-Type',
      JSON_TYPE,
      'Content-Length',
      String(this.body.length),
      ...this.notModifiedHeaders,
    ];
  }

  get sizeBytes(): number {
    return this.body.length + OVERHEAD_BYTES;
  }

  /** Whether the client has these very bytes already (RFC 9110, If-None-Match: the weak comparison). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    if (ifNoneMatch === this.etag || ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.etag);
  }
}
