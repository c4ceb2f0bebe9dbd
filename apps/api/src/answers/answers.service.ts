import { Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import { HeadPassedError, type ListOrStream, type RowStreams } from '@roundhouse/readers';
import { ChainTracker, type ChainView } from '../chain/chain-tracker.service.js';
import { Places, type Asker } from '../limits/places.service.js';
import { AnswerCache } from './answer-cache.service.js';
import { LargeContent, LastingContent, type AnswerRequest } from './answer-request.js';
import { Answer, StreamedForm, type Acceptance, type AnswerForm, type LargeAnswer } from './answer.js';
import type { Coding } from './codings.js';
import { NotReadyError } from './errors.js';
import { HTML_TYPE } from './headers.js';

/** While an index catches up, its head moves many times a second; a reader that falls behind starts again. */
const MOST_ATTEMPTS = 20;

/** The renewal of answers has the share of one client. */
const RENEWAL: Asker = { client: 'renewal' };

/** The content around a list, which may be too large for memory. */
export const listContent = <T extends object>(
  list: ListOrStream,
  streams: RowStreams,
  contentWith: (list: ReadyJson) => T,
): T | LargeContent<T> =>
  typeof list === 'string'
    ? contentWith(ReadyJson.list(list))
    : new LargeContent(contentWith, () => list(streams));

/**
 * Whether the end of the chain makes an answer last. What is not kept speaks of a clock or of this server, and a page
 * names files of this version.
 */
const isLastingIn = (view: ChainView, { makeContent, writing }: AnswerRequest): boolean =>
  view.isFrozen && makeContent.isKept !== false && writing.contentType !== HTML_TYPE;

/** An answer that requests wait for. */
interface Making {
  waiting: number;
  /** Null while none of them has a place. */
  answer: Promise<Answer | LargeAnswer> | null;
}

/** An answer whose list is being read. */
export interface OpenedAnswer {
  readonly form: StreamedForm;
  readonly first: Buffer;
  readonly rest: AsyncGenerator<Buffer, void, undefined>;
}

/** Makes each answer once per head, even if many requests wait for it. */
@Injectable()
export class AnswersService {
  private readonly making = new Map<string, Making>();
  private newestServed = 0;

  constructor(
    private readonly tracker: ChainTracker,
    private readonly cache: AnswerCache,
    private readonly places: Places,
  ) {}

  /**
   * Returns the answer in a form that the client accepts, for it to be sent. Throws what `makeContent` throws, and
   * `NotReadyError`.
   */
  get(request: AnswerRequest, acceptance: Acceptance, asker: Asker): Promise<AnswerForm | StreamedForm> {
    return this.keepTrying(async () => {
      const answer = this.cache.find(request.key) ?? (await this.makeInPlace(request, asker));
      const form =
        answer instanceof Answer
          ? (answer.formFor(acceptance) ?? (await this.compress(request.key, answer, acceptance.coding!)))
          : new StreamedForm(request, answer, acceptance.coding);
      if (!this.isTimely(form)) return undefined;
      this.cache.noteSent(request);
      return form;
    });
  }

  /**
   * Gets an answer by `get`. If it is to be streamed and `needsList`, reads the beginning of its list; starts again if the
   * tables have moved on meanwhile. The caller must end `rest` with its method `return`.
   */
  open(
    get: () => Promise<AnswerForm | StreamedForm>,
    needsList: (form: StreamedForm) => boolean,
  ): Promise<AnswerForm | StreamedForm | OpenedAnswer> {
    return this.keepTrying(async () => {
      const form = await get();
      if (!(form instanceof StreamedForm && needsList(form))) return form;
      const rest = form.read();
      const { value: first } = await rest.next();
      if (first && this.isTimely(form)) return { form, first, rest };
      await rest.return();
      await this.tracker.refresh();
      return undefined;
    });
  }

  /** Records that an answer of this view is sent; false if a newer head was served meanwhile. */
  maySend({ sequence }: ChainView): boolean {
    if (sequence < this.newestServed) return false;
    this.newestServed = sequence;
    return true;
  }

  private isTimely(form: AnswerForm | StreamedForm): boolean {
    return (form instanceof StreamedForm && form.staysRight) || this.maySend(form.view);
  }

  /** Makes an answer of the newest head before it is requested, in these codings. */
  async prepare(request: AnswerRequest, codings: readonly Coding[]): Promise<void> {
    const { key } = request;
    if (!this.cache.peek(key)) await this.makeInPlace(request, RENEWAL);
    // It may have waited for an answer of the previous head, which is not kept.
    const answer = this.cache.peek(key) ?? (await this.makeInPlace(request, RENEWAL));
    if (!(answer instanceof Answer)) return;
    for (const coding of codings) await this.compress(key, answer, coding);
  }

  /** Attempts again while the tables have moved on, or while an answer is undefined because a newer head was served. */
  private async keepTrying<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (let left = MOST_ATTEMPTS; left > 0; left -= 1) {
      try {
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (error) {
        if (!(error instanceof HeadPassedError)) throw error;
        await this.tracker.refresh();
      }
    }
    throw new NotReadyError('The chain moves faster than this answer can be made; try again in a moment.');
  }

  private async compress(key: string, answer: Answer, coding: Coding): Promise<AnswerForm> {
    const form = await answer.compress(coding);
    this.cache.update(key);
    return form;
  }

  /** Each request waits for a place of its own, so that no client waits in another's share. One of `streams` has it already. */
  private async makeInPlace(request: AnswerRequest, asker: Asker): Promise<Answer | LargeAnswer> {
    const { key, makeContent } = request;
    const making = this.making.get(key) ?? { waiting: 0, answer: null };
    this.making.set(key, making);
    making.waiting += 1;
    try {
      const makeOnce = () =>
        (making.answer ??= this.make(request, making).finally(() => (making.answer = null)));
      if (makeContent.places === 'streams') return await makeOnce();
      // To wait for what is being made costs the database nothing, and takes no place from others.
      return await (making.answer ?? this.places.of(makeContent.places).use(asker, makeOnce));
    } finally {
      making.waiting -= 1;
      if (making.waiting === 0) this.making.delete(key);
    }
  }

  private make(request: AnswerRequest, making: Making): Promise<Answer | LargeAnswer> {
    const { key, writing, makeContent, followsSource, needsListIndexes } = request;
    return this.keepTrying(async () => {
      const view = await this.tracker.current();
      // A kept answer is not found while the head is unconfirmed. Now that it is confirmed, it may be sent.
      const kept = this.cache.peek(key);
      if (kept) return kept;
      if (needsListIndexes) view.assertListIndexes();
      const content = await makeContent(view);
      const isLasting = content instanceof LastingContent || isLastingIn(view, request);
      const inner = content instanceof LastingContent ? content.content : content;
      if (inner instanceof LargeContent) return { content: inner, view, isLasting };
      const answer = new Answer(
        writing.write(inner),
        followsSource ? view : view.basis,
        view,
        writing,
        isLasting,
      );
      this.cache.keep(request, answer, making.waiting > 1);
      return answer;
    });
  }
}
