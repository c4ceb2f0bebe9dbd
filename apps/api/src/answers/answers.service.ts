import { Injectable } from '@nestjs/common';
import { writeAnswer, type DtoClass } from '@roundhouse/dto';
import { HeadPassedError } from '@roundhouse/storage';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { ChainView } from '../chain/chain-view.js';
import { NotReadyError } from '../chain/not-ready.error.js';
import { AnswerCache } from './answer-cache.service.js';
import { Answer } from './answer.js';

/** Makes the content of an answer from one view of the chain. It may be asked again with a newer view. */
export type Recipe<T extends object> = (chain: ChainView) => T | Promise<T>;

export interface AnswerRequest<T extends object> {
  /** Route and normalised query. */
  readonly key: string;
  readonly dto: DtoClass<T>;
  readonly recipe: Recipe<T>;
  /** Whether the answer changes with the node's height, too. */
  readonly followsSource: boolean;
}

/** While an index catches up its head moves many times a second; a reader that is overtaken begins again. */
const MOST_ATTEMPTS = 20;

/** Makes each answer once a head, however many wait for it. */
@Injectable()
export class AnswersService {
  private readonly making = new Map<string, Promise<Answer>>();
  private newestServed = 0;

  constructor(
    private readonly tracker: ChainTracker,
    private readonly cache: AnswerCache,
  ) {}

  /** Throws what the recipe throws, and `NotReadyError`. */
  async get<T extends object>(request: AnswerRequest<T>): Promise<Answer> {
    const { key } = request;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const answer = this.cache.find(key) ?? (await this.makeOnce(request));
      if (this.maySend(answer)) return answer;
    }
    throw new NotReadyError('The chain moves faster than this answer can be made; try again in a moment.');
  }

  /** Notes that an answer goes out; false where a newer head has been served meanwhile. */
  maySend({ view }: Answer): boolean {
    if (view.sequence < this.newestServed) return false;
    this.newestServed = view.sequence;
    return true;
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
      try {
        const content = await request.recipe(view);
        const basis = request.followsSource ? view : view.basis;
        const answer = new Answer(writeAnswer(request.dto, content), basis, view);
        this.cache.keep(request.key, answer);
        return answer;
      } catch (error) {
        if (!(error instanceof HeadPassedError)) throw error;
        await this.tracker.refresh();
      }
    }
    throw new NotReadyError('The chain moves faster than this answer can be made; try again in a moment.');
  }
}
