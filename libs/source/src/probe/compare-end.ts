import type { CheckedSource } from '../checks/checked-source.js';

/** What FINAL_HEIGHT and FINAL_BLOCK_ID say. */
export interface ExpectedEnd {
  readonly height: number;
  readonly id: string | undefined;
}

/** Notes whether the source goes on past the end, or has not reached it. Throws if it has another block there. */
export const compareEnd = async (
  source: CheckedSource,
  tip: number,
  { height, id }: ExpectedEnd,
  remarks: string[],
): Promise<void> => {
  if (tip < height) {
    remarks.push(
      `It has no block at FINAL_HEIGHT=${height}: an index of it waits for that, or FINAL_HEIGHT is wrong.`,
    );
    return;
  }
  if (tip > height) remarks.push(`It goes on past FINAL_HEIGHT=${height}: its blocks above are left out.`);
  const block = await source.blockAt(height);
  if (block === null || id === undefined || block.id === id) return;
  throw new Error(
    `It has block ${block.id} at FINAL_HEIGHT=${height}, but FINAL_BLOCK_ID is ${id}: one of them is of another branch. ` +
      `Correct FINAL_BLOCK_ID, or name another BLOCK_SOURCE.`,
  );
};
