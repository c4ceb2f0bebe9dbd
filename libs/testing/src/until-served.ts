import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Longer than any stall of a busy machine: an api that still cannot answer then never will. */
const WITHIN_MS = 60_000;

interface Answered {
  readonly status: number;
}

/**
 * Asks until the answer is not one that says to try again: an api whose process stalls has no confirmed head for a
 * moment, and answers 503. After a minute of such answers, throws an error that has the last one.
 */
export const untilServed = async <Answer extends Answered>(
  ask: () => Promise<Answer>,
  isForLater: (answer: Answer) => boolean = ({ status }) => status === 503,
  withinMs = WITHIN_MS,
): Promise<Answer> => {
  const startedAt = performance.now();
  for (let asked = 1; ; asked += 1) {
    const answer = await ask();
    if (!isForLater(answer)) return answer;
    if (performance.now() - startedAt > withinMs)
      throw new Error(
        `Asked ${asked} times in ${withinMs} ms, and the last answer was: ${JSON.stringify(answer)}`,
      );
    await wait(PAUSE_MS);
  }
};
