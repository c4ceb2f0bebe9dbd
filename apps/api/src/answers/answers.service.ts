import { Injectable } from '@nestjs/common';
import { ReadyJson } from '@roundhouse/dto';
import { HeadPassedError, type ListOrStream, type RowStreams } from '@roundhouse/readers';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { NotReadyError } from '../chain/not-ready.error.js';
import type { Asker } from '../clients/places.service.js';
import { Places } from '../clients/places.service.js';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerRequest } from './answer-request.js';
import { Answer, StreamedForm, type Acceptance, type AnswerForm, type LargeAnswer } from './answer.js';
import type { Coding } from './codings.js';
import { LargeContent } from './large-content.js';
import { LastingContent } from './lasting-content.js';

/** While an index catches up, its head moves many times a second; a reader that falls behind starts again. */
const MOST_ATTEMPTS = 20;

/** The renewal of answers has the share of one client. */
const RENEWAL: Asker = { client: 'renewal' };

const tooFast = (): NotReadyError =>
  new NotReadyError('The chain moves faster than this answer can be made; try again in a moment.');

/** The content around a list, which may be too large for memory. */
export const listContent = <T extends object>(
  list: ListOrStream,
  streams: RowStreams,
  contentWith: (list: ReadyJson) => T,
): T | LargeContent<T> =>
  typeof list === 'string'
    ? contentWith(ReadyJson.list(list))
    : new LargeContent(contentWith, () => list(streams));

/** An answer whose list is being read. */
export interface OpenedAnswer {
  readonly form: StreamedForm;
  readonly first: Buffer;
  readonly rest: AsyncGenerator<Buffer, void, undefined>;
}

/** Makes each answer once per head, even if many requests wait for it. */
@Injectable()
export class AnswersService {
  private readonly making = new Map<string, Promise<Answer | LargeAnswer>>();
  private newestServed = 0;

  constructor(
    private readonly tracker: ChainTracker,
    private readonly cache: AnswerCache,
    private readonly places: Places,
  ) {}

  /** Returns the answer in a form that the client accepts. Throws what `makeContent` throws, and `NotReadyError`. */
  async get<T extends object>(
    request: AnswerRequest<T>,
    acceptance: Acceptance,
    asker: Asker,
  ): Promise<AnswerForm | StreamedForm> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const answer = this.cache.find(request.key) ?? (await this.makeInPlace(request, asker));
      const form =
        answer instanceof Answer
          ? await this.formOf(request.key, answer, acceptance)
          : new StreamedForm(request, answer, acceptance.coding);
      if (this.maySend(form.view)) return form;
    }
    throw tooFast();
  }

  /**
   * Gets an answer by `get`. If it is to be streamed, reads the beginning of its list; starts again if the tables have
   * moved on meanwhile. The caller must end `rest` with its method `return`.
   */
  async open(get: () => Promise<AnswerForm | StreamedForm>): Promise<AnswerForm | OpenedAnswer> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const form = await get();
      if (!(form instanceof StreamedForm)) return form;
      const rest = form.read();
      try {
        const { value: first } = await rest.next();
        if (first && this.maySend(form.view)) return { form, first, rest };
      } catch (error) {
        if (!(error instanceof HeadPassedError)) throw error;
      }
      await rest.return();
      await this.tracker.refresh();
    }
    throw tooFast();
  }

  /** Records that an answer of this view is sent; false if a newer head was served meanwhile. */
  maySend({ sequence }: ChainView): boolean {
    if (sequence < this.newestServed) return false;
    this.newestServed = sequence;
    return true;
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

  private async formOf(key: string, answer: Answer, acceptance: Acceptance): Promise<AnswerForm> {
    const form = answer.formFor(acceptance);
    return typeof form === 'string' ? this.compress(key, answer, form) : form;
  }

  private async compress(key: string, answer: Answer, coding: Coding): Promise<AnswerForm> {
    const form = await answer.compress(coding);
    this.cache.reweigh(key, answer);
    return form;
  }

  /** Each request waits for a place of its own, so that no client waits in another's share. */
  private makeInPlace<T extends object>(
    request: AnswerRequest<T>,
    asker: Asker,
  ): Promise<Answer | LargeAnswer> {
    // To wait for what is being made costs the database nothing, and takes no place from others.
    const making = this.making.get(request.key);
    return making ?? this.places.of(request.makeContent.places).use(asker, () => this.makeOnce(request));
  }

  private makeOnce<T extends object>(request: AnswerRequest<T>): Promise<Answer | LargeAnswer> {
    const { key } = request;
    let making = this.making.get(key);
    if (!making) {
      making = this.make(request).finally(() => this.making.delete(key));
      this.making.set(key, making);
    }
    return making;
  }

  private async make<T extends object>(request: AnswerRequest<T>): Promise<Answer | LargeAnswer> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const view = await this.tracker.current();
      // A kept answer is not found while the head is unconfirmed. Now that it is confirmed, it may be sent.
      const kept = this.cache.peek(request.key);
      if (kept) return kept;
      try {
        const made = await request.makeContent(view);
        const isLasting = made instanceof LastingContent;
        const content = isLasting ? made.content : made;
        if (content instanceof LargeContent) return { content, view, isLasting };
        const basis = request.followsSource ? view : view.basis;
        const { writing, route } = request;
        const answer = new Answer(writing.write(content), basis, view, route, writing, isLasting);
        this.cache.keep(request, answer);
        return answer;
      } catch (error) {
        if (!(error instanceof HeadPassedError)) throw error;
        await this.tracker.refresh();
      }
    }
    throw tooFast();
  }
}
