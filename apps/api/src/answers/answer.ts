import type { Transform } from 'node:stream';
import { sha256As } from '@roundhouse/chain';
import { ReadyJson } from '@roundhouse/dto';
import type { FastifyReply } from 'fastify';
import type { HeadRecord } from '@roundhouse/readers';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { compressingStreams, compressors, type Coding } from './codings.js';
import { CACHE_CONTROL, COMMON_HEADERS, LASTING_CACHE_CONTROL, type Headers } from './headers.js';
import type { AnswerRequest, LargeContent, Writing } from './answer-request.js';

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

const negotiate = (acceptEncoding: string): Acceptance => {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator;
  const accepted = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  const [best = 'identity'] = accepted;
  // A client that accepts nothing gets the plain bytes, which every client can read.
  if (best === 'identity') return IDENTITY;
  return { coding: best, takesIdentity: accepted.includes('identity') };
};

/** There are many clients, but few different headers. Long ones are not kept. */
const known = new LRUCache<string, Acceptance>({
  max: 500,
  maxEntrySize: 200,
  sizeCalculation: (_, { length }) => length + 1,
  memoMethod: negotiate,
});

/** Asks `get` first: `memo` costs every ready answer more. */
export const acceptanceOf = (acceptEncoding: string | string[] | undefined): Acceptance =>
  typeof acceptEncoding === 'string' ? (known.get(acceptEncoding) ?? known.memo(acceptEncoding)) : IDENTITY;

/** The headers of the newest head: many answers share one head. */
const ofHead = new LRUCache<HeadRecord, Headers>({
  max: 1,
  memoMethod: ({ height, indexedAtUs }) => ({
    'x-chain-height': String(height),
    'x-indexed-at': new Date(Number(indexedAtUs / 1000n)).toISOString(),
  }),
});

/** The height and time of the head; empty before the first block. */
export const chainHeaders = (head: HeadRecord | null | undefined): Headers => (head ? ofHead.memo(head) : {});

/** Smaller answers fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;

/** Approximate memory of a form in addition to its body: a map entry and its headers. */
const OVERHEAD_BYTES = 1024;

export const etagOf = (content: Buffer | string): string =>
  `"${sha256As('base64url', content).slice(0, 22)}"`;

/** The tag of the same content in a coding: its bytes differ, so its tag must differ too. */
export const codedEtag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`);

interface Description {
  readonly contentType: string;
  /** Sent with every form of these bytes. */
  readonly headers: Headers;
}

/** The last of each way of writing: answers that are made one after the other mostly have the same headers. */
const described = new WeakMap<object, Description & { view: ChainView; isLasting: boolean }>();

const describe = (
  view: ChainView,
  writing: Omit<Writing<object>, 'write'>,
  isLasting: boolean,
): Description => {
  const known = described.get(writing);
  if (known?.view === view && known.isLasting === isLasting) return known;
  const headers = {
    ...COMMON_HEADERS,
    vary: `${COMMON_HEADERS['vary']}, Accept-Encoding`,
    'cache-control': isLasting ? LASTING_CACHE_CONTROL : CACHE_CONTROL,
    ...writing.headers,
    ...chainHeaders(view.headOrNull),
  };
  const description = { contentType: writing.contentType, headers, view, isLasting };
  described.set(writing, description);
  return description;
};

/** Bytes with all their headers, ready to be sent. `body` is null if they are not known before everything is sent. */
export class ReadyBytes<Body extends Buffer | null = Buffer> {
  private readonly shared: Headers;
  /** Of the bytes, which a client that has them does not need. */
  private readonly own: Headers;

  constructor(
    { contentType, headers }: Description,
    readonly body: Body,
    readonly etag: string,
    coding: Coding | null,
  ) {
    this.shared = headers;
    this.own = {
      'content-type': contentType,
      ...(body && { 'content-length': String(body.length) }),
      ...(coding && { 'content-encoding': coding }),
    };
  }

  /** Sets status and headers. Returns whether the body has to follow. */
  begin(reply: FastifyReply, ifNoneMatch: string | undefined): boolean {
    const isKnown = this.isKnownTo(ifNoneMatch);
    reply.headers(this.shared).header('etag', this.etag);
    if (isKnown) reply.code(304);
    else reply.headers(this.own);
    return !isKnown;
  }

  /** Whether the client already has these bytes (RFC 9110, If-None-Match: the weak comparison). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    if (ifNoneMatch === this.etag || ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.etag);
  }
}

/** One form of an answer: uncompressed or compressed. */
export class AnswerForm extends ReadyBytes {
  constructor(
    readonly view: ChainView,
    ...bytes: ConstructorParameters<typeof ReadyBytes<Buffer>>
  ) {
    super(...bytes);
  }
}

/** Not cached, because making it costs little. */
export interface LargeAnswer {
  readonly content: LargeContent;
  readonly view: ChainView;
  readonly isLasting: boolean;
}

/** Marks the place of the list's objects in JSON text, which never contains this character. */
const GAP = '\0';

/** An answer that is too large for memory. Its tag is made from the head, because its list has not been read yet. */
export class StreamedForm extends ReadyBytes<null> {
  /** The text before and after the objects of its list. */
  readonly around: readonly [before: string, after: string];
  readonly view: ChainView;
  /** The objects of its list, without a coding; see `RowStreams.read`. */
  readonly read: LargeContent['read'];
  readonly staysRight: boolean;

  constructor(
    { key, writing }: AnswerRequest,
    { content, view, isLasting }: LargeAnswer,
    private readonly coding: Coding | null,
  ) {
    const { id, revision, indexedAtUs } = view.head;
    const etag = etagOf(`${key} ${id} ${revision} ${indexedAtUs}`);
    super(describe(view, writing, isLasting), null, coding ? codedEtag(etag, coding) : etag, coding);
    this.view = view;
    this.read = content.read;
    this.staysRight = content.staysRight;
    const [before, after] = writing.write(content.contentWith(ReadyJson.list(GAP))).split(GAP);
    this.around = [before!, after!];
  }

  compressor(): Transform | null {
    return this.coding && compressingStreams[this.coding]();
  }
}

/** An answer in the forms that were requested so far. */
export class Answer {
  private readonly description: Description;
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
    private readonly view: ChainView,
    writing: Omit<Writing<object>, 'write'>,
    isLasting = false,
  ) {
    const body = Buffer.from(text);
    this.description = describe(view, writing, isLasting);
    this.identity = new AnswerForm(view, this.description, body, etagOf(body), null);
  }

  get sizeBytes(): number {
    let size = this.identity.body.length + OVERHEAD_BYTES;
    for (const { body } of this.compressed.values()) size += body.length + OVERHEAD_BYTES;
    return size;
  }

  /** The codings that were requested. */
  get codings(): readonly Coding[] {
    return [...this.compressed.keys()];
  }

  /** The form for a client. Undefined if its coding has not been made yet. */
  formFor({ coding, takesIdentity }: Acceptance): AnswerForm | undefined {
    if (coding === null) return this.identity;
    if (takesIdentity && this.identity.body.length < COMPRESSED_FROM_BYTES) return this.identity;
    return this.compressed.get(coding);
  }

  /** Makes a form in another thread, and once, even if many requests wait for it. */
  compress(coding: Coding): Promise<AnswerForm> {
    const begun = this.compressing.get(coding);
    if (begun) return begun;
    const making = this.makeForm(coding).finally(() => this.compressing.delete(coding));
    this.compressing.set(coding, making);
    return making;
  }

  private async makeForm(coding: Coding): Promise<AnswerForm> {
    const { body, etag } = this.identity;
    const coded = await compressors[coding](body);
    const form = new AnswerForm(this.view, this.description, coded, codedEtag(etag, coding), coding);
    this.compressed.set(coding, form);
    return form;
  }
}
