import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ChainView } from '../chain/chain-view.js';
import { JSON_TYPE } from '../http/headers.js';
import type { Coding } from './acceptance.js';

/** What a map entry and the headers cost beside the body, roughly. */
const OVERHEAD_BYTES = 1024;

/** Beyond it, an answer of a hundred blocks takes several times as long and comes out no smaller. */
const BROTLI_QUALITY = 4;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => compressGzip(body),
};

/** What all forms of an answer have in common. */
interface Shared {
  readonly view: ChainView;
  /** For the figures. */
  readonly route: string;
  readonly headers: readonly string[];
}

/** One form of an answer as ready bytes: the body, and its headers in the flat form that `writeHead` takes. */
export class AnswerForm {
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];

  constructor(
    private readonly shared: Shared,
    readonly body: Buffer,
    readonly etag: string,
    coding: Coding | null,
  ) {
    this.notModifiedHeaders = [...shared.headers, 'ETag', etag];
    this.headers = [
      'Content-Type',
      JSON_TYPE,
      'Content-Length',
      String(body.length),
      ...(coding === null ? [] : ['Content-Encoding', coding]),
      ...this.notModifiedHeaders,
    ];
  }

  get view(): ChainView {
    return this.shared.view;
  }

  get route(): string {
    return this.shared.route;
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

  /** The same answer in another form; its tag is another one, as its bytes are. Off the event loop. */
  async compress(coding: Coding): Promise<AnswerForm> {
    const body = await compressors[coding](this.body);
    const etag = this.etag.replace(/"$/, `-${coding}"`);
    return new AnswerForm(this.shared, body, etag, coding);
  }
}
