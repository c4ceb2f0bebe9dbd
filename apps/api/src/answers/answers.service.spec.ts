import { describe, expect, it } from '@jest/globals';
import { HeightResponseDto } from '@roundhouse/dto';
import { HeadPassedError, type ChainState } from '@roundhouse/storage';
import type { ApiSettings } from '../api.config.js';
import type { ChainTracker } from '../chain/chain-tracker.service.js';
import { ChainView } from '../chain/chain-view.js';
import { AnswerCache } from './answer-cache.service.js';
import { AnswersService, type Recipe } from './answers.service.js';

const stateAt = (height: number): ChainState => ({
  head: {
    height,
    id: String(height),
    timestamp: 0,
    supply: 0n,
    delegateCount: 0,
    indexedAtUs: BigInt(height),
  },
  network: null,
  sourceHeight: null,
});

/** A tracker that is told what it sees. */
class ToldTracker {
  isConfirmed = true;
  latest = new ChainView(stateAt(1), {}, 1);
  refreshes = 0;
  private listener: (view: ChainView) => void = () => undefined;

  onMove(listener: (view: ChainView) => void): void {
    this.listener = listener;
  }

  current(): Promise<ChainView> {
    return Promise.resolve(this.latest);
  }

  refresh(): Promise<void> {
    this.refreshes += 1;
    return Promise.resolve();
  }

  moveTo(height: number): void {
    this.latest = new ChainView(stateAt(height), {}, this.latest.sequence + 1);
    this.listener(this.latest);
  }

  hearSource(sourceHeight: number): void {
    const { basis, sequence, head } = this.latest;
    this.latest = new ChainView({ ...stateAt(head.height), sourceHeight }, basis, sequence);
    this.listener(this.latest);
  }
}

const start = (cacheMaxBytes = 100_000) => {
  const tracker = new ToldTracker();
  const settings = { CACHE_MAX_BYTES: cacheMaxBytes } as ApiSettings;
  const cache = new AnswerCache(settings, tracker as unknown as ChainTracker);
  const answers = new AnswersService(tracker as unknown as ChainTracker, cache);
  let made = 0;
  const heightOf: Recipe<HeightResponseDto> = async ({ head }) => {
    made += 1;
    await Promise.resolve();
    return { height: head.height, id: head.id, success: true };
  };
  const get = async (recipe = heightOf, key = 'height', followsSource = false): Promise<number> => {
    const answer = await answers.get({ key, dto: HeightResponseDto, recipe, followsSource });
    return (JSON.parse(answer.body.toString()) as HeightResponseDto).height;
  };
  return { tracker, cache, get, heightOf, timesMade: () => made };
};

describe('AnswersService', () => {
  it('makes an answer once, however many wait for it and ask later', async () => {
    const { get, timesMade } = start();
    expect(await Promise.all(Array.from({ length: 50 }, () => get()))).toEqual(Array(50).fill(1));
    await get();
    expect(timesMade()).toBe(1);
  });

  it('makes it anew for a new head', async () => {
    const { get, tracker, timesMade } = start();
    await get();
    tracker.moveTo(2);
    expect(await get()).toBe(2);
    expect(timesMade()).toBe(2);
  });

  it('begins again where the tables have moved on', async () => {
    const { get, tracker, heightOf } = start();
    const overtaken: Recipe<HeightResponseDto> = (chain) => {
      if (chain.head.height > 2) return heightOf(chain);
      tracker.moveTo(chain.head.height + 1);
      throw new HeadPassedError(chain.head);
    };
    expect(await get(overtaken)).toBe(3);
    expect(tracker.refreshes).toBe(2);
  });

  it('gives up where the tables never stand still', async () => {
    const { get } = start();
    const overtaken: Recipe<HeightResponseDto> = ({ head }) => {
      throw new HeadPassedError(head);
    };
    await expect(get(overtaken)).rejects.toThrow('moves faster');
  });

  it('never gives an older head than one that was given before', async () => {
    const { get, tracker, heightOf } = start();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const slow: Recipe<HeightResponseDto> = async (chain) => {
      const { height } = chain.head;
      if (height === 1) await held;
      return heightOf(chain);
    };
    const begunAtOne = get(slow, 'slow');
    tracker.moveTo(2);
    expect(await get()).toBe(2);
    letGo();
    expect(await begunAtOne).toBe(2);
  });

  it('gives an answer of the head before where nobody has seen a newer one yet, but does not keep it', async () => {
    const { get, tracker, heightOf, timesMade } = start();
    const overtaken: Recipe<HeightResponseDto> = (chain) => {
      if (chain.head.height === 1) tracker.moveTo(2);
      return heightOf(chain);
    };
    expect(await get(overtaken)).toBe(1);
    expect(await get(overtaken)).toBe(2);
    expect(timesMade()).toBe(2);
  });

  it('does not keep failures', async () => {
    const { get } = start();
    await expect(get(() => Promise.reject(new Error('once')))).rejects.toThrow('once');
    expect(await get()).toBe(1);
  });

  it("keeps what follows the head when the node's height changes, and drops what follows that", async () => {
    const { get, tracker, heightOf, timesMade } = start();
    await get(heightOf, 'head');
    await get(heightOf, 'source', true);
    tracker.hearSource(7);
    await get(heightOf, 'head');
    expect(timesMade()).toBe(2);
    await get(heightOf, 'source', true);
    expect(timesMade()).toBe(3);
  });

  it('serves nothing kept while the head is not confirmed', async () => {
    const { get, tracker, cache } = start();
    await get();
    expect(cache.find('height')).toBeDefined();
    tracker.isConfirmed = false;
    expect(cache.find('height')).toBeUndefined();
  });

  it('keeps no more bytes than it may', async () => {
    const { get, cache, heightOf, timesMade } = start(5000);
    for (let key = 0; key < 20; key += 1) await get(heightOf, String(key));
    expect(cache.sizeBytes).toBeGreaterThan(3000);
    expect(cache.sizeBytes).toBeLessThanOrEqual(5000);
    await get(heightOf, '19');
    expect(timesMade()).toBe(20);
  });
});
