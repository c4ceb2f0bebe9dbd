import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 20;

interface Answered {
  readonly status: number;
}

/**
 * Asks until the answer is not one that says to try again: an api whose process stalls has no confirmed head for a
 * moment, and answers 503.
 */
export const untilServed = async <Answer extends Answered>(
  ask: () => Promise<Answer>,
  isForLater: (answer: Answer) => boolean = ({ status }) => status === 503,
): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (!isForLater(answer)) return answer;
    await wait(PAUSE_MS);
  }
};
