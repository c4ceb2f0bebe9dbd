import { describe, expect, it } from '@jest/globals';
import type { ApiSettings } from '../api.config.js';
import { NotReadyError } from '../chain/not-ready.error.js';
import { WaitingRequests } from './waiting-requests.service.js';

const atMost = (MAX_WAITING_REQUESTS: number): WaitingRequests =>
  new WaitingRequests({ MAX_WAITING_REQUESTS } as ApiSettings);

describe('requests that wait', () => {
  it('are refused at once beyond the bound, without asking the database', async () => {
    const waiting = atMost(2);
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const both = [waiting.wait(() => slow), waiting.wait(() => slow)];
    let isAsked = false;
    const third = waiting.wait(async () => {
      isAsked = true;
    });
    await expect(third).rejects.toThrow(NotReadyError);
    expect([isAsked, waiting.count, waiting.refusedCount, waiting.isFull]).toEqual([false, 2, 1, true]);
    answer();
    await Promise.all(both);
    expect(waiting.count).toBe(0);
    await waiting.wait(async () => {
      isAsked = true;
    });
    expect(isAsked).toBe(true);
  });

  it('make room when they fail', async () => {
    const waiting = atMost(1);
    const failure = new Error('no');
    await expect(waiting.wait(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(await waiting.wait(async () => 'yes')).toBe('yes');
    expect(waiting.isFull).toBe(false);
  });
});
