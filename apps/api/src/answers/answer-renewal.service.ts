import { Injectable } from '@nestjs/common';
import { AnswerCache, type KeptAnswer } from './answer-cache.service.js';
import type { Coding } from './codings.js';
import { AnswersService } from './answers.service.js';

/** Maximum number of answers that are made again. */
const MOST_ANSWERS = 100;

/** Well below the size of the pool, so that other requests find a connection. */
const AT_ONCE = 3;

/** An answer is not made again if it was sent less often than this. Older heads count less. */
const LEAST_ASKED = 2;

/** Of `asked`, each head counts half as much as the one after it. */
interface Popular extends Omit<KeptAnswer, 'answer'> {
  readonly codings: readonly Coding[];
}

/** At each new head, makes the most requested answers again, before they are requested. */
@Injectable()
export class AnswerRenewal {
  private popular = new Map<string, Popular>();
  private waiting: Iterator<Popular, undefined> = this.popular.values();
  private running = 0;
  /** How many answers were made again since the start. */
  count = 0;

  constructor(
    private readonly cache: AnswerCache,
    private readonly answers: AnswersService,
  ) {
    cache.onDrop = (dropped) => this.begin(dropped);
  }

  private begin(dropped: readonly KeptAnswer[]): void {
    this.popular = popularAfter(this.popular, dropped);
    // Answers that were not made in time for the last head are skipped.
    this.waiting = this.popular.values();
    for (let idle = AT_ONCE - this.running; idle > 0; idle -= 1) void this.run();
  }

  private async run(): Promise<void> {
    this.running += 1;
    for (let next = this.waiting.next(); !next.done; next = this.waiting.next())
      // The next request for it gets the error.
      await this.renew(next.value).catch(() => undefined);
    this.running -= 1;
  }

  private async renew({ request, urls, codings }: Popular): Promise<void> {
    await this.answers.prepare(request, codings);
    this.cache.update(request.key, urls);
    this.count += 1;
  }
}

/** The most popular first. */
const popularAfter = (before: ReadonlyMap<string, Popular>, dropped: readonly KeptAnswer[]) => {
  const all = new Map<string, Popular>();
  for (const [key, popular] of before) all.set(key, { ...popular, asked: popular.asked / 2 });
  for (const { answer, ...kept } of dropped) {
    const { asked, request } = kept;
    if (asked === 0 || request.isRenewed === false || request.makeContent.isKept === 'ifShared') continue;
    const earlier = all.get(request.key)?.asked ?? 0;
    all.set(request.key, { ...kept, codings: answer.codings, asked: asked + earlier });
  }
  const ranked = [...all].filter(([, { asked }]) => asked >= LEAST_ASKED);
  return new Map(ranked.sort(([, a], [, b]) => b.asked - a.asked).slice(0, MOST_ANSWERS));
};
