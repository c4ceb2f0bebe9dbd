import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { AnswerRequest } from './answer-request.js';
import type { Acceptance, Answer, AnswerForm } from './answer.js';

/** The memory of a key or a URL: 256 bytes for the entry that leads to the answer, and its text. */
const memoryOf = ({ length }: string): number => 256 + 2 * length;

/** Per answer; beyond that, its oldest URL is dropped. So new URLs for one answer never evict other answers. */
const MOST_URLS = 50;

/** The share of the cache that one answer may take, with all its forms. A larger one is not kept. */
const LARGEST_SHARE = 1 / 8;

/** Not every use is recorded, because that would cost a second look-up per request. */
const NOTE_USE_EVERY = 16;

export interface KeptAnswer {
  readonly request: AnswerRequest;
  readonly answer: Answer;
  /** The raw URLs that find it without parsing, the newest last. */
  readonly urls: readonly string[];
  /** How often it was sent. */
  asked: number;
}

/** The answers of the newest head, bounded in bytes; the least recently used are evicted. */
@Injectable()
export class AnswerCache {
  private readonly kept: LRUCache<string, KeptAnswer>;
  private readonly byUrl = new Map<string, KeptAnswer>();
  /** Since the start: how many answers were found in the cache, and how many were made. */
  readonly counts = { found: 0, made: 0 };
  /** Told which answers are dropped at a new head. */
  onDrop: (dropped: readonly KeptAnswer[]) => void = () => undefined;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly tracker: ChainTracker,
  ) {
    this.kept = new LRUCache({
      maxSize: settings.CACHE_MAX_BYTES,
      maxEntrySize: Math.ceil(settings.CACHE_MAX_BYTES * LARGEST_SHARE),
      dispose: ({ urls }) => urls.forEach((url) => this.byUrl.delete(url)),
    });
    tracker.onNewBasis(() => {
      const dropped = [...this.kept.values()];
      this.kept.clear();
      this.onDrop(dropped);
    });
  }

  /** Undefined if there is no answer, or none that may be sent now. */
  find(key: string): Answer | undefined {
    const kept = this.kept.get(key);
    if (!kept || !this.maySend(kept.answer)) return undefined;
    this.counts.found += 1;
    return kept.answer;
  }

  /** Like `find`, but does not count as a use. */
  peek(key: string): Answer | undefined {
    const kept = this.kept.peek(key);
    return kept && this.maySend(kept.answer) ? kept.answer : undefined;
  }

  /** The form that `acceptance` selects, if it is ready under this URL and may be sent now. */
  findReady(url: string, acceptance: Acceptance): AnswerForm | undefined {
    const kept = this.byUrl.get(url);
    if (!kept || !this.maySend(kept.answer)) return undefined;
    const form = kept.answer.formFor(acceptance);
    if (!form) return undefined;
    this.counts.found += 1;
    kept.asked += 1;
    if (kept.asked % NOTE_USE_EVERY === 0) this.kept.get(kept.request.key);
    return form;
  }

  keep(request: AnswerRequest, answer: Answer, isShared = false): void {
    this.counts.made += 1;
    const { isKept = true } = request.makeContent;
    if (!(isKept === 'ifShared' ? isShared : isKept) || !this.isCurrent(answer)) return;
    // It replaces an older answer if only the node's height has changed.
    const { urls = [], asked = 0 } = this.kept.peek(request.key) ?? {};
    this.put({ request, answer, urls, asked }, request.url === undefined ? [] : [request.url]);
  }

  /** Records that the answer of a request was sent. Its URL finds the answer from now on. */
  noteSent({ key, url }: AnswerRequest): void {
    const kept = this.kept.peek(key);
    if (!kept || url === undefined) return;
    kept.asked += 1;
    if (!kept.urls.includes(url)) this.put(kept, [url]);
  }

  /** Makes these URLs find the answer under `key`, too. Counts its bytes again: it may have got another form. */
  update(key: string, urls: readonly string[] = []): void {
    const kept = this.kept.peek(key);
    if (kept) this.put(kept, urls);
  }

  get sizeBytes(): number {
    return this.kept.calculatedSize;
  }

  /** Replaces the entry, because the cache accepts a size only with a new entry. `more`: new URLs that find it. */
  private put(kept: KeptAnswer, more: readonly string[]): void {
    const { key } = kept.request;
    let size = kept.answer.sizeBytes + memoryOf(key);
    // The cache would drop it anyway.
    if (size > this.kept.maxEntrySize) return void this.kept.delete(key);
    const urls = [...kept.urls, ...more.filter((url) => !kept.urls.includes(url))].slice(-MOST_URLS);
    for (const url of urls) size += memoryOf(url);
    const entry = { ...kept, urls };
    this.kept.set(key, entry, { size });
    if (!this.kept.has(key)) return;
    for (const url of urls) this.byUrl.set(url, entry);
  }

  private maySend(answer: Answer): boolean {
    return this.isCurrent(answer) && this.tracker.isConfirmed;
  }

  private isCurrent(answer: Answer): boolean {
    const { latest } = this.tracker;
    return latest !== null && (answer.basis === latest.basis || answer.basis === latest);
  }
}
