import { describe, expect, it } from '@jest/globals';
import { untilServed } from './until-served.js';

describe('untilServed', () => {
  const answersIn = (statuses: readonly number[]) => {
    const rest = statuses.values();
    return async () => ({ status: rest.next().value! });
  };

  it('asks again after 503, and returns the first other answer', async () => {
    expect(await untilServed(answersIn([503, 503, 404, 200]))).toEqual({ status: 404 });
  });

  it('asks again only after the answers that its caller names', async () => {
    const answer = await untilServed(answersIn([500, 500, 503, 200]), ({ status }) => status === 500);
    expect(answer).toEqual({ status: 503 });
  });

  it('gives up when there was no other answer in time, and says what the last one was', async () => {
    const asked = untilServed(async () => ({ status: 503, text: 'later' }), undefined, 50);
    await expect(asked).rejects.toThrow(/^Asked \d+ times in 50 ms.*"status":503,"text":"later"/);
  });
});
