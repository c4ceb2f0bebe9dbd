import { describe, expect, it } from '@jest/globals';
import type { ClientBase } from 'pg';
import { partitionFrom } from './partitions.js';

describe('partitions by heights', () => {
  const none = null as unknown as ClientBase;
  const from = (first: number, final: number, hasEnded = false) =>
    partitionFrom(none, first, { by: 'heights', epoch: 0, final, hasEnded });

  it('have 100,000 blocks each, as soon as the last can no longer be undone', async () => {
    expect(await from(1, 99_999)).toBeNull();
    expect(await from(1, 100_000)).toEqual({ name: 'from_height=1', first: 1, last: 100_000 });
    expect(await from(100_001, 200_000)).toEqual({
      name: 'from_height=100001',
      first: 100_001,
      last: 200_000,
    });
  });

  it('end with the chain', async () => {
    expect(await from(1, 150_000, true)).toMatchObject({ last: 100_000 });
    expect(await from(100_001, 150_000, true)).toMatchObject({ last: 150_000 });
    expect(await from(150_001, 150_000, true)).toBeNull();
  });
});
