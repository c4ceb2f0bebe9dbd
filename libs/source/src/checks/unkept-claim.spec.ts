import { jest } from '@jest/globals';
import type { BlockRef } from '@roundhouse/chain';
import { UnkeptClaim } from './unkept-claim.js';

const ref = (height: number): BlockRef => ({ height, id: String(height) });

describe('UnkeptClaim', () => {
  let now: number;
  let claim: UnkeptClaim;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    claim = new UnkeptClaim('a node', () => undefined);
    claim.claim(1_000);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const isOwed = (height: number | null): void => expect(claim.owed?.height ?? null).toBe(height);

  it('counts after ten seconds, and names the lowest block that was not returned', () => {
    claim.gave(301, 400, ref(350));
    claim.gave(101, 200, null);
    claim.gave(501, 600, null);
    now += 9_999;
    isOwed(null);
    now += 1;
    isOwed(101);
  });

  it('is kept if the block is returned later', () => {
    claim.gave(100, 200, ref(100));
    now += 10_000;
    expect(claim.owed).toMatchObject({ height: 101, below: ref(100) });
    claim.gave(91, 150, ref(101));
    isOwed(null);
    now += 10_000;
    isOwed(102);
    claim.gave(102, 1_000, ref(1_000));
    isOwed(null);
  });

  it('is dropped if the source announces a lower height', () => {
    claim.gave(101, 200, null);
    claim.claim(100);
    claim.claim(101);
    now += 10_000;
    isOwed(null);
  });

  it('does not cover blocks above the announced height', () => {
    claim.gave(901, 1_100, ref(1_000));
    claim.gave(1_001, 1_100, null);
    now += 20_000;
    isOwed(null);
  });

  it('is checked again after pauses that grow up to half a minute', () => {
    claim.gave(101, 200, ref(100));
    const pauses: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const since = now;
      while (!claim.isDue) now += 1_000;
      pauses.push((now - since) / 1_000);
      claim.gave(100, 101, ref(100));
      isOwed(101);
    }
    expect(pauses).toEqual([10, 1, 2, 4, 8, 16, 30, 30]);
  });
});
