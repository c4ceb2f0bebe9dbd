import { describe, expect, it } from '@jest/globals';
import type { ReaderPool } from '../at-head.js';
import { CoreBlocksReader } from './core-blocks.reader.js';

const AT = { height: 100, id: '17' };
const NEXT = { height: 101, id: '18' };

/** Starts a reader. Each list has 30 rows. `list` reads a page, and returns how many counts were made so far. */
const startReader = () => {
  let counted = 0;
  const pool: ReaderPool = {
    query: ({ text, values = [] }) => {
      const rows: object[] = Array.from({ length: Number(values[2]) }, () => ({ id: '1' }));
      if (!text.includes('"totalCount"')) return Promise.resolve({ rows });
      counted += 1;
      return Promise.resolve({ rows: [{ totalCount: 30 }] });
    },
  };
  const reader = new CoreBlocksReader(pool, pool);
  const list = async (at: typeof AT, reward: string, offset = 0): Promise<number> => {
    const orderBy = [{ property: 'height', direction: 'desc' }] as const;
    const page = await reader.listBlocks(at, { criteria: { reward: [reward] }, orderBy, limit: 10, offset });
    expect(page).toMatchObject({ totalCount: 30, isEstimate: false });
    return counted;
  };
  return { list };
};

describe('CoreListReader', () => {
  it('counts a list once for each head, whatever its page', async () => {
    const { list } = startReader();
    expect([await list(AT, '1'), await list(AT, '1', 10), await list(AT, '2'), await list(AT, '1')]).toEqual([
      1, 1, 2, 2,
    ]);
    expect([await list(NEXT, '1'), await list(NEXT, '1')]).toEqual([3, 3]);
  });

  it('keeps no count under a long name', async () => {
    const { list } = startReader();
    const long = '1'.repeat(600);
    expect([await list(AT, long), await list(AT, long)]).toEqual([1, 2]);
  });
});
