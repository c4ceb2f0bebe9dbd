import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Transform } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { ChainView } from '../chain/chain-view.js';
import type { Acceptance, Coding } from './acceptance.js';
import {
  CACHE_CONTROL,
  chainHeaders,
  COMPRESSIBLE_HEADERS,
  LASTING_CACHE_CONTROL,
} from './answer-headers.js';
import type { AnswerRequest, Writing } from './answer-request.js';
import type { LargeContent } from './large-content.js';

/** Smaller answers fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;

/** Approximate memory of a form in addition to its body: a map entry and its headers. */
const OVERHEAD_BYTES = 1024;

/** A higher quality takes several times as long for a page of a hundred blocks, and saves nothing. */
const BROTLI_QUALITY = 4;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const BROTLI_PARAMETERS = {
  [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    compressBrotli(body, {
      params: { ...BROTLI_PARAMETERS, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => compressGzip(body),
};

const compressingStreams: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress({ params: BROTLI_PARAMETERS }),
  gzip: () => createGzip(),
};

export const etagOf = (content: Buffer | string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** The tag of the same content in a coding: its bytes differ, so its tag must differ too. */
export const codedEtag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`);

/** The headers that all forms of an answer have. */
const headersFor = (
  view: ChainView,
  { headers }: Pick<Writing<object>, 'headers'>,
  isLasting: boolean,
): readonly string[] => [
  ...COMPRESSIBLE_HEADERS,
  ...(isLasting ? LASTING_CACHE_CONTROL : CACHE_CONTROL),
  ...headers,
  ...chainHeaders(view.headOrNull),
];

interface Description {
  /** For metrics and traces. */
  readonly route: string;
  readonly contentType: string;
  /** Sent with every form of these bytes; each name is followed by its value. */
  readonly headers: readonly string[];
}

/** One form of a content, with its tag. */
class TaggedForm {
  readonly route: string;
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];

  /** @param length in bytes; null if it is not known before everything is sent */
  constructor(
    { route, contentType, headers }: Description,
    readonly etag: string,
    coding: Coding | null,
    length: number | null,
  ) {
    this.route = route;
    this.notModifiedHeaders = [...headers, 'ETag', etag];
    this.headers = [
      'Content-Type',
      contentType,
      ...(length === null ? [] : ['Content-Length', String(length)]),
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

/** Bytes with all their headers, ready to be sent. */
export class ReadyBytes extends TaggedForm {
  constructor(
    description: Description,
    readonly body: Buffer,
    etag: string,
    coding: Coding | null,
  ) {
    super(description, etag, coding, body.length);
  }
}

/** What all forms of an answer have in common. */
interface Shared extends Description {
  readonly view: ChainView;
}

/** One form of an answer: uncompressed or compressed. */
export class AnswerForm extends ReadyBytes {
  constructor(
    private readonly shared: Shared,
    body: Buffer,
    etag: string,
    coding: Coding | null,
  ) {
    super(shared, body, etag, coding);
  }

  get view(): ChainView {
    return this.shared.view;
  }

  get sizeBytes(): number {
    return this.body.length + OVERHEAD_BYTES;
  }

  /** Compresses in another thread. */
  async compress(coding: Coding): Promise<AnswerForm> {
    const body = await compressors[coding](this.body);
    return new AnswerForm(this.shared, body, codedEtag(this.etag, coding), coding);
  }
}

/** Not cached, because making it costs little. */
export interface LargeAnswer {
  readonly content: LargeContent;
  readonly view: ChainView;
  readonly isLasting: boolean;
}

/** An answer that is too large for memory. Its tag is made from the head, because its list has not been read yet. */
export class StreamedForm extends TaggedForm {
  readonly before: string;
  readonly after: string;
  readonly view: ChainView;
  private readonly content: LargeContent;

  constructor(
    { route, key, writing }: Pick<AnswerRequest, 'route' | 'key' | 'writing'>,
    { content, view, isLasting }: LargeAnswer,
    private readonly coding: Coding | null,
  ) {
    const { id, revision, indexedAtUs } = view.head;
    const etag = etagOf(`${key} ${id} ${revision} ${indexedAtUs}`);
    const headers = headersFor(view, writing, isLasting);
    const description = { route, contentType: writing.contentType, headers };
    super(description, coding === null ? etag : codedEtag(etag, coding), coding, null);
    this.view = view;
    this.content = content;
    [this.before, this.after] = content.around((around) => writing.write(around));
  }

  /** The objects of its list, without a coding; see `RowStreams.read`. */
  read(): AsyncGenerator<Buffer, void, undefined> {
    return this.content.read();
  }

  compressor(): Transform | null {
    return this.coding && compressingStreams[this.coding]();
  }
}

/** An answer in the forms that were requested so far. */
export class Answer {
  private readonly identity: AnswerForm;
  private readonly compressed = new Map<Coding, AnswerForm>();
  private readonly compressing = new Map<Coding, Promise<AnswerForm>>();

  /**
   * @param basis what the answer was made from; the answer may be sent while this is the newest
   * @param isLasting whether no answer to the same request can be different
   */
  constructor(
    text: string,
    readonly basis: object,
    view: ChainView,
    route: string,
    writing: Pick<Writing<object>, 'contentType' | 'headers'>,
    isLasting = false,
  ) {
    const body = Buffer.from(text);
    const { contentType } = writing;
    const headers = headersFor(view, writing, isLasting);
    this.identity = new AnswerForm({ view, route, contentType, headers }, body, etagOf(body), null);
  }

  get sizeBytes(): number {
    return [...this.compressed.values()].reduce((sum, form) => sum + form.sizeBytes, this.identity.sizeBytes);
  }

  /** The codings that were requested. */
  get codings(): readonly Coding[] {
    return [...this.compressed.keys()];
  }

  /** The form for a client, or the coding that it needs if that form has not been made yet. */
  formFor({ coding, takesIdentity }: Acceptance): AnswerForm | Coding {
    if (coding === null) return this.identity;
    if (takesIdentity && this.identity.body.length < COMPRESSED_FROM_BYTES) return this.identity;
    return this.compressed.get(coding) ?? coding;
  }

  /** Makes a form once, even if many requests wait for it. */
  compress(coding: Coding): Promise<AnswerForm> {
    let compressing = this.compressing.get(coding);
    if (!compressing) {
      compressing = this.identity
        .compress(coding)
        .then((form) => {
          this.compressed.set(coding, form);
          return form;
        })
        .finally(() => this.compressing.delete(coding));
      this.compressing.set(coding, compressing);
    }
    return compressing;
  }
}
