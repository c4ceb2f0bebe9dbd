import { findCommonHeight, type IdAt } from './find-common-height.js';

/** A chain whose blocks above `common` are on another branch. */
const chain =
  (branch: string, common: number, height: number): IdAt =>
  (asked) =>
    Promise.resolve(asked > height ? null : asked <= common ? `main-${asked}` : `${branch}-${asked}`);

const counted = (idAt: IdAt): { idAt: IdAt; asked: number[] } => {
  const asked: number[] = [];
  return {
    asked,
    idAt: (height) => {
      asked.push(height);
      return idAt(height);
    },
  };
};

describe('findCommonHeight', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 12, 13, 51, 100, 499, 999])(
    'finds the last common block of a fork %i deep',
    async (depth) => {
      const common = 1_000 - depth;
      const found = await findCommonHeight(
        1_000,
        chain('ours', common, 1_000),
        chain('theirs', common, 1_000),
      );
      expect(found).toBe(common);
    },
  );

  it('asks once for a usual fork, and a few times for a deep one', async () => {
    const shallow = counted(chain('theirs', 999, 1_000));
    await findCommonHeight(1_000, chain('ours', 999, 1_000), shallow.idAt);
    expect(shallow.asked).toEqual([999]);
    const deep = counted(chain('theirs', 100, 1_000));
    await findCommonHeight(1_000, chain('ours', 100, 1_000), deep.idAt);
    expect(deep.asked.length).toBeLessThan(25);
  });

  it('returns 0 if the genesis blocks differ', async () => {
    expect(await findCommonHeight(40, chain('ours', 0, 40), chain('theirs', 0, 40))).toBe(0);
    expect(await findCommonHeight(1, chain('ours', 0, 1), chain('theirs', 0, 1))).toBe(0);
  });

  it('treats a block that the source lacks as no answer, never as a fork', async () => {
    expect(await findCommonHeight(100, chain('ours', 90, 100), chain('theirs', 90, 98))).toBeNull();
  });
});
