import type { Answer } from './answer.js';

/** The number of remembered heads; older ones rarely return. */
const MOST_HEADS = 20;

/** Checks that a question always has the same answer at the same head. */
export class SameHead {
  private readonly heads = new Map<string, Map<string, string>>();

  /** Returns the problem, or null. */
  check({ url, status, chainHeight, indexedAt, text }: Answer): string | null {
    if (status !== 200 || chainHeight === null) return null;
    const answers = this.answersAt(`${chainHeight} ${indexedAt}`);
    const before = answers.get(url);
    answers.set(url, text);
    if (before === undefined || before === text) return null;
    return `${url}: two answers at height ${chainHeight} of ${indexedAt}: ${before.slice(0, 200)} and ${text.slice(0, 200)}`;
  }

  private answersAt(head: string): Map<string, string> {
    let answers = this.heads.get(head);
    if (!answers) {
      this.heads.set(head, (answers = new Map<string, string>()));
      if (this.heads.size > MOST_HEADS) this.heads.delete(this.heads.keys().next().value!);
    }
    return answers;
  }
}
