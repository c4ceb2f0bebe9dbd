import { describe, expect, it } from '@jest/globals';
import { acceptanceOf } from './answer.js';
import { startAnswers } from './answers.harness.js';

describe('AnswerCache', () => {
  it('counts compressed forms and URLs among the bytes', async () => {
    const { ask, cache } = startAnswers({ bytes: 20_000 });
    const plain = await ask('a');
    const before = cache.sizeBytes;
    const gzip = await ask('a', { acceptEncoding: 'gzip' });
    const after = cache.sizeBytes;
    expect(before).toBeGreaterThan(plain.body.length);
    expect(after - before).toBeGreaterThan(gzip.body.length);
    await ask('a', { url: 'a?another=' + 'x'.repeat(1000) });
    expect(cache.sizeBytes - after).toBeGreaterThan(1000);
  });

  it('does not find an evicted answer by its URLs either', async () => {
    const { ask, cache, get, timesMade } = startAnswers({ cacheMaxBytes: 100_000, bytes: 10_000 });
    await ask('old', { url: 'old?1' });
    await ask('old', { url: 'old?2' });
    for (let key = 0; key < 10; key += 1) await get(String(key));
    const before = timesMade();
    expect(cache.counts.found).toBe(1);
    await ask('old', { url: 'old?2' });
    expect(timesMade()).toBe(before + 1);
  });

  it('drops an answer that grows larger than an eighth of the cache', async () => {
    const { ask, cache } = startAnswers({ cacheMaxBytes: 8 * 6000, bytes: 4000 });
    await ask('a');
    expect(cache.sizeBytes).toBeGreaterThan(4000);
    await ask('a', { acceptEncoding: 'gzip' });
    expect(cache.sizeBytes).toBe(0);
    expect((await ask('a')).body.length).toBeGreaterThan(4000);
  });

  it('does not keep an answer larger than an eighth of the cache, and evicts nothing for it', async () => {
    const { ask, cache, heightOf, timesMade } = startAnswers({ cacheMaxBytes: 80_000, bytes: 100 });
    await ask('small');
    const before = cache.sizeBytes;
    const large: typeof heightOf = async (chain) => {
      const content = await heightOf(chain);
      return { ...content, id: 'x'.repeat(12_000) };
    };
    expect((await ask('large', { makeContent: large })).body.length).toBeGreaterThan(12_000);
    expect(cache.sizeBytes).toBe(before);
    await ask('small');
    expect(timesMade()).toBe(2);
  });

  it('keeps an answer that is used all the time, by key or by URL', async () => {
    const { ask, get, timesMade } = startAnswers({ cacheMaxBytes: 100_000, bytes: 10_000 });
    await get('hot');
    for (let key = 0; key < 20; key += 1) {
      await get(String(key));
      for (let turn = 0; turn < 20; turn += 1) await ask('hot');
    }
    expect(timesMade()).toBe(21);
  });

  it('evicts nothing for a client that adds something new to each URL', async () => {
    const { ask, get, cache, timesMade } = startAnswers({ cacheMaxBytes: 200_000 });
    await get('other');
    for (let n = 0; n < 1000; n += 1) await ask('busted', { url: `busted?${n}` });
    await get('other');
    expect(timesMade()).toBe(2);
    expect(cache.sizeBytes).toBeLessThan(25_000);
  });

  it('finds a new answer by the URL that it was made for before it is sent', async () => {
    const { ask, cache, timesMade } = startAnswers({ bytes: 20_000 });
    const compressed = ask('a', { url: 'a?1', acceptEncoding: 'gzip' });
    // After all that needs no thread.
    await new Promise((resolve) => process.nextTick(resolve));
    expect(timesMade()).toBe(1);
    expect(cache.findReady('a?1', acceptanceOf(undefined))?.body.length).toBeGreaterThan(20_000);
    await compressed;
  });

  it('still finds an answer by its URLs after it was made again for a new height of the node', async () => {
    const { ask, cache, tracker } = startAnswers();
    await ask('source', { url: 'source?1', followsSource: true });
    await ask('source', { url: 'source?2', followsSource: true });
    tracker.hearSource(7);
    await ask('source', { url: 'source?1', followsSource: true });
    const { found } = cache.counts;
    await ask('source', { url: 'source?2', followsSource: true });
    expect(cache.counts).toEqual({ found: found + 1, made: 2 });
  });
});
