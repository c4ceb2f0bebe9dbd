import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { HeadRecord } from '@roundhouse/readers';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { compressingStreams, compressors, type Coding } from './codings.js';
import { CACHE_CONTROL, COMMON_HEADERS, LASTING_CACHE_CONTROL, type Headers } from './headers.js';
import type { AnswerRequest, Writing } from './answer-request.js';
import type { LargeContent } from './large-content.js';

/** The forms of an answer that a client accepts. */
export interface Acceptance {
  /** The coding that it prefers; null if it prefers none. */
  readonly coding: Coding | null;
  /** Whether it also accepts the bytes without a coding. */
  readonly takesIdentity: boolean;
}

/** The published types lack `preferred`, which decides between equal quality values. */
interface EncodingNegotiator {
  encodings(
    available: readonly (Coding | 'identity')[],
    options: { readonly preferred: readonly Coding[] },
  ): (Coding | 'identity')[];
}

const IDENTITY: Acceptance = { coding: null, takesIdentity: true };

/** There are many clients, but few different headers. */
const known = new LRUCache<string, Acceptance>({ max: 500 });

const LONGEST_KNOWN = 200;

const negotiate = (acceptEncoding: string): Acceptance => {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator;
  const accepted = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  const [best = 'identity'] = accepted;
  // A client that accepts nothing gets the plain bytes, which every client can read.
  if (best === 'identity') return IDENTITY;
  return { coding: best, takesIdentity: accepted.includes('identity') };
};

export const acceptanceOf = (acceptEncoding: string | string[] | undefined): Acceptance => {
  if (typeof acceptEncoding !== 'string') return IDENTITY;
  let acceptance = known.get(acceptEncoding);
  if (!acceptance) {
    acceptance = negotiate(acceptEncoding);
    if (acceptEncoding.length <= LONGEST_KNOWN) known.set(acceptEncoding, acceptance);
  }
  return acceptance;
};

/** The headers of the newest head: many answers share one head. */
let newest: { readonly head: HeadRecord; readonly headers: Headers } | undefined;

/** The height and time of the head; empty before the first block. */
export const chainHeaders = (head: HeadRecord | null | undefined): Headers => {
  if (!head) return {};
  if (newest?.head !== head) newest = { head, headers: headersOf(head) };
  return newest.headers;
};

const headersOf = ({ height, indexedAtUs }: HeadRecord): Headers => ({
  'x-chain-height': String(height),
  'x-indexed-at': new Date(Number(indexedAtUs / 1000n)).toISOString(),
});

/** Smaller answers fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;

/** Approximate memory of a form in addition to its body: a map entry and its headers. */
const OVERHEAD_BYTES = 1024;

export const etagOf = (content: Buffer | string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** The tag of the same content in a coding: its bytes differ, so its tag must differ too. */
export const codedEtag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`);

/** The headers that all forms of an answer have. */
const headersFor = (
  view: ChainView,
  { headers }: Pick<Writing<object>, 'headers'>,
  isLasting: boolean,
): Headers => ({
  ...COMMON_HEADERS,
  vary: `${COMMON_HEADERS['vary']}, Accept-Encoding`,
  'cache-control': isLasting ? LASTING_CACHE_CONTROL : CACHE_CONTROL,
  ...headers,
  ...chainHeaders(view.headOrNull),
});

interface Description {
  /** For metrics and traces. */
  readonly route: string;
  readonly contentType: string;
  /** Sent with every form of these bytes. */
  readonly headers: Headers;
}

/** One form of a content, with its tag. */
class TaggedForm {
  readonly route: string;
  readonly headers: Headers;
  readonly notModifiedHeaders: Headers;

  /** @param length in bytes; null if it is not known before everything is sent */
  constructor(
    { route, contentType, headers }: Description,
    readonly etag: string,
    coding: Coding | null,
    length: number | null,
  ) {
    this.route = route;
    this.notModifiedHeaders = { ...headers, etag };
    this.headers = {
      'content-type': contentType,
      ...(length === null ? {} : { 'content-length': String(length) }),
      ...(coding === null ? {} : { 'content-encoding': coding }),
      ...this.notModifiedHeaders,
    };
  }

  /** Sets status and headers. Returns whether the body has to follow. */
  begin(reply: FastifyReply, ifNoneMatch: string | undefined): boolean {
    const isKnown = this.isKnownTo(ifNoneMatch);
    if (isKnown) reply.code(304);
    reply.headers(isKnown ? this.notModifiedHeaders : this.headers);
    return !isKnown;
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
