import { Injectable } from '@nestjs/common';
import { HeadPassedError } from '@roundhouse/storage';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { NotReadyError } from '../chain/not-ready.error.js';
import { WaitingRequests } from '../database/waiting-requests.service.js';
import type { Acceptance, Coding } from './acceptance.js';
import { AnswerCache } from './answer-cache.service.js';
import type { AnswerRequest } from './answer-request.js';
import { Answer, type AnswerForm } from './answer.js';

/** While an index catches up, its head moves many times a second; a reader that falls behind starts again. */
const MOST_ATTEMPTS = 20;

const tooFast = (): NotReadyError =>
  new NotReadyError('The chain moves faster than this answer can be made; try again in a moment.');

/** Makes each answer once per head, even if many requests wait for it. */
@Injectable()
export class AnswersService {
  private readonly making = new Map<string, Promise<Answer>>();
  private newestServed = 0;

  constructor(
    private readonly tracker: ChainTracker,
    private readonly cache: AnswerCache,
    private readonly waiting: WaitingRequests,
  ) {}

  /** Returns the answer in a form that the client accepts. Throws what the recipe throws, and `NotReadyError`. */
  async get<T extends object>(request: AnswerRequest<T>, acceptance: Acceptance): Promise<AnswerForm> {
    const { key } = request;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const answer = this.cache.find(key) ?? (await this.waiting.wait(() => this.makeOnce(request)));
      const form = answer.formFor(acceptance);
      const ready = typeof form === 'string' ? await this.compress(key, answer, form) : form;
      if (this.maySend(ready.view)) return ready;
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
    if (!this.cache.peek(key)) await this.makeOnce(request);
    // The first one may have been started for the previous head.
    const answer = this.cache.peek(key) ?? (await this.makeOnce(request));
    for (const coding of codings) await this.compress(key, answer, coding);
  }

  private async compress(key: string, answer: Answer, coding: Coding): Promise<AnswerForm> {
    const form = await answer.compress(coding);
    this.cache.reweigh(key, answer);
    return form;
  }

  private makeOnce<T extends object>(request: AnswerRequest<T>): Promise<Answer> {
    const { key } = request;
    let making = this.making.get(key);
    if (!making) {
      making = this.make(request).finally(() => this.making.delete(key));
      this.making.set(key, making);
    }
    return making;
  }

  private async make<T extends object>(request: AnswerRequest<T>): Promise<Answer> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const view = await this.tracker.current();
      // It may have been in the cache all along while the head was not confirmed.
      const kept = this.cache.peek(request.key);
      if (kept) return kept;
      try {
        const content = await request.recipe(view);
        const basis = request.followsSource ? view : view.basis;
        const { writing, route } = request;
        const answer = new Answer(writing.write(content), basis, view, route, writing);
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
