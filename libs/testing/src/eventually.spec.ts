import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';

describe('eventually', () => {
  it('returns how long it took', async () => {
    let due: number | undefined;
    const isDue = (): boolean => performance.now() >= (due ??= performance.now() + 30);
    expect(await eventually('it is due', isDue)).toBeGreaterThan(29);
  });

  it('treats an error as false, and polls again', async () => {
    let asked = 0;
    await eventually('it answers', () => {
      asked += 1;
      if (asked < 3) throw new Error('not yet');
      return true;
    });
    expect(asked).toBe(3);
  });

  it('names the condition that did not hold, with its last error', async () => {
    const refused = new Error('refused');
    await expect(eventually('it answers', () => Promise.reject(refused), 20)).rejects.toMatchObject({
      message: 'Not within 20 ms: it answers',
      cause: refused,
    });
  });
});
