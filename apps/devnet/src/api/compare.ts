/** The order of any two values of a kind, for `sort`: amounts stay whole, text goes by code unit. */
export const compare = <T extends bigint | number | string>(a: T, b: T): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
