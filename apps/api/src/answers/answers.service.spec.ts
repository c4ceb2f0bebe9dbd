import { describe, expect, it } from '@jest/globals';
import type { HeightResponseDto } from '@roundhouse/dto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { HeadPassedError } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import type { MakeContent } from './answer-request.js';
import { heightIn, startAnswers } from './answers.harness.js';

describe('AnswersService', () => {
  it('starts again if the tables have moved on', async () => {
    const { get, tracker, heightOf } = startAnswers();
    const makeContent: MakeContent<HeightResponseDto> = (chain) => {
      if (chain.head.height > 2) return heightOf(chain);
      tracker.moveTo(chain.head.height + 1);
      throw new HeadPassedError(chain.head);
    };
    expect(await get('height', { makeContent })).toBe(3);
    expect(tracker.refreshes).toBe(2);
  });

  it('gives up if the tables never stand still', async () => {
    const { get } = startAnswers();
    const makeContent: MakeContent<HeightResponseDto> = ({ head }) => {
      throw new HeadPassedError(head);
    };
    await expect(get('height', { makeContent })).rejects.toThrow('moves faster');
  });

  it('never serves an older head than one that was served before', async () => {
    const { get, tracker, heightOf } = startAnswers();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const slow: MakeContent<HeightResponseDto> = async (chain) => {
      const { height } = chain.head;
      if (height === 1) await held;
      return heightOf(chain);
    };
    const begunAtOne = get('slow', { makeContent: slow });
    tracker.moveTo(2);
    expect(await get('height')).toBe(2);
    letGo();
    expect(await begunAtOne).toBe(2);
  });

  it('never serves an answer of an older head that was compressed while a newer one was served', async () => {
    const { ask, get, tracker } = startAnswers({ bytes: 50_000 });
    await get('large');
    const compressed = ask('large', { acceptEncoding: 'gzip' });
    tracker.moveTo(2);
    expect(await get('other')).toBe(2);
    expect(heightIn(gunzipSync((await compressed).body))).toBe(2);
  });

  it('lets requests for what is being made take no place from others', async () => {
    const { get, heightOf } = startAnswers();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const slow: MakeContent<HeightResponseDto> = async (chain) => {
      await held;
      return heightOf(chain);
    };
    const asked = [get('slow', { makeContent: slow })];
    await new Promise((resolve) => setImmediate(resolve));
    asked.push(
      ...Array.from({ length: 100 }, (_, index) => get('slow', { url: `/${index}`, makeContent: slow })),
    );
    expect(await get('other')).toBe(1);
    letGo();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
  });

  it('keeps a rare answer only if two requests waited for it', async () => {
    const { get, heightOf, timesMade } = startAnswers();
    const rare: MakeContent<HeightResponseDto> = Object.assign(
      async (chain: ChainView) => {
        await new Promise((resolve) => setImmediate(resolve));
        return heightOf(chain);
      },
      { isKept: 'ifShared' as const },
    );
    const ask = () => get('rare', { makeContent: rare });
    await ask();
    await ask();
    expect(timesMade()).toBe(2);
    const first = ask();
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.all([first, ask()]);
    expect(timesMade()).toBe(3);
    await ask();
    expect(timesMade()).toBe(3);
  });

  it('serves an answer of the previous head if no newer one was served yet, but does not keep it', async () => {
    const { get, tracker, heightOf, timesMade } = startAnswers();
    const makeContent: MakeContent<HeightResponseDto> = (chain) => {
      if (chain.head.height === 1) tracker.moveTo(2);
      return heightOf(chain);
    };
    expect(await get('height', { makeContent })).toBe(1);
    expect(await get('height', { makeContent })).toBe(2);
    expect(timesMade()).toBe(2);
  });

  it("keeps answers that depend only on the head when the node's height changes, and drops those that depend on it", async () => {
    const { get, tracker, timesMade } = startAnswers();
    await get('head');
    await get('source', { followsSource: true });
    tracker.hearSource(7);
    await get('head');
    expect(timesMade()).toBe(2);
    await get('source', { followsSource: true });
    await get('source', { followsSource: true });
    expect(timesMade()).toBe(3);
  });

  it('makes each form of a large answer once, however many requests wait for it, and does not make the answer again', async () => {
    const { ask, timesMade } = startAnswers({ bytes: 5000 });
    const askAll = (acceptEncoding: string) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) => ask('large', { acceptEncoding, url: `large?${n % 3}` })),
      );
    const brotli = new Set(await askAll('br, gzip'));
    const gzip = new Set([...(await askAll('gzip')), ...(await askAll('gzip'))]);
    expect([brotli.size, gzip.size, timesMade()]).toEqual([1, 1, 1]);
    const [plain, [br], [gz]] = [await ask('large'), [...brotli], [...gzip]];
    expect(brotliDecompressSync(br!.body)).toEqual(plain.body);
    expect(gunzipSync(gz!.body)).toEqual(plain.body);
    expect(new Set([plain.etag, br!.etag, gz!.etag]).size).toBe(3);
  });
});
