/** Compares two values of the same type, for `sort`. Amounts stay bigint; text is ordered by code unit. */
export const compare = <T extends bigint | number | string>(a: T, b: T): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
