import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.js';

/** Checks that a question always has the same answer at the same head. Older heads rarely return. */
export class SameHead {
  private readonly answers = new LRUCache<string, string>({ max: 1_000 });

  /** Returns the problem, or null. */
  check({ url, status, chainHeight, indexedAt, text }: Answer): string | null {
    if (status !== 200 || chainHeight === null) return null;
    const question = `${url}: two answers at height ${chainHeight} of ${indexedAt}`;
    const before = this.answers.get(question);
    this.answers.set(question, text);
    if (before === undefined || before === text) return null;
    return `${question}: ${before.slice(0, 200)} and ${text.slice(0, 200)}`;
  }
}
