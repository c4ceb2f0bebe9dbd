import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import type { Answer } from './answer.js';

/** What an entry costs that only points at an answer. */
const POINTER_BYTES = 256;

/**
 * The answers of the newest head, bounded in bytes. Each is kept under its key (route and normalised query), and
 * under each raw URL that asked for it, so that a repeated request needs no parsing.
 */
@Injectable()
export class AnswerCache {
  private readonly answers: LRUCache<string, Answer>;
  private found = 0;
  private made = 0;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly tracker: ChainTracker,
  ) {
    this.answers = new LRUCache({ maxSize: settings.CACHE_MAX_BYTES });
    let basis = tracker.latest?.basis;
    tracker.onMove((view) => {
      if (view.basis !== basis) this.answers.clear();
      basis = view.basis;
    });
  }

  /** Undefined where there is none that may be served now. */
  find(key: string): Answer | undefined {
    const answer = this.answers.get(key);
    if (!answer || !this.isCurrent(answer) || !this.tracker.isConfirmed) return undefined;
    this.found += 1;
    return answer;
  }

  keep(key: string, answer: Answer): void {
    this.made += 1;
    if (this.isCurrent(answer)) this.answers.set(key, answer, { size: answer.sizeBytes + 2 * key.length });
  }

  /** Lets `url` find an answer that is kept. */
  keepUrl(url: string, answer: Answer): void {
    if (this.isCurrent(answer)) this.answers.set(url, answer, { size: POINTER_BYTES + 2 * url.length });
  }

  /** Since the start: answers that were ready, and answers that had to be made. */
  get counts(): { readonly found: number; readonly made: number } {
    return { found: this.found, made: this.made };
  }

  get sizeBytes(): number {
    return this.answers.calculatedSize;
  }

  private isCurrent(answer: Answer): boolean {
    const { latest } = this.tracker;
    return latest !== null && (answer.basis === latest.basis || answer.basis === latest);
  }
}
