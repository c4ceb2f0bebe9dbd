/** The result; null if `compute` throws. */
export const orNull = <T>(compute: () => T): T | null => {
  try {
    return compute();
  } catch {
    return null;
  }
};
