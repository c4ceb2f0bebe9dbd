/** With more moves per entry than this, the list does not count as nearly sorted. */
const MOST_MOVES = 8;

/**
 * Sorts in place. If few entries are out of place, as in the ranking of delegates between rounds, it takes little
 * more than one comparison per entry.
 */
export const sortNearlySorted = <T>(list: T[], compare: (a: T, b: T) => number): void => {
  let moves = list.length * MOST_MOVES;
  for (let i = 1; i < list.length; i += 1) {
    const entry = list[i]!;
    let at = i;
    while (at > 0 && compare(list[at - 1]!, entry) > 0) {
      list[at] = list[at - 1]!;
      at -= 1;
    }
    list[at] = entry;
    moves -= i - at;
    if (moves < 0) {
      list.sort(compare);
      return;
    }
  }
};
