/** How many single letters have to be put in, taken out, changed or swapped with the next to make `b` out of `a`. */
const distance = (a: string, b: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let least = Math.min(last[column - 1]! + (isSame ? 0 : 1), last[column]! + 1, current[column - 1]! + 1);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, beforeLast[column - 2]! + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
};

/** The one of `known` that `typed` was probably meant to be: begun, or with few letters wrong; null where none is near. */
export const nearest = (typed: string, known: readonly string[]): string | null => {
  const begun = known.filter((name) => typed.length > 1 && name.startsWith(typed));
  if (begun.length === 1) return begun[0]!;
  const [best] = known
    .map((name) => ({ name, wrong: distance(typed, name) }))
    .sort((one, other) => one.wrong - other.wrong);
  if (best === undefined) return null;
  return best.wrong <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : null;
};
