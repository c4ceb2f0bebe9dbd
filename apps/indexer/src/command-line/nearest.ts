import { distance } from 'fastest-levenshtein';

/** How many letters may be wrong: two are what swapping neighbours costs. */
const wrongLettersAllowed = (name: string): number => Math.max(2, Math.floor(name.length / 3));

/** The name in `known` that `typed` probably means: its only completion, or a close spelling; null if there is none. */
export const nearest = (typed: string, known: readonly string[]): string | null => {
  const completions = known.filter((name) => typed.length > 1 && name.startsWith(typed));
  if (completions.length === 1) return completions[0]!;
  const [best] = known
    .map((name) => ({ name, wrong: distance(typed, name) }))
    .sort((one, other) => one.wrong - other.wrong);
  return best !== undefined && best.wrong <= wrongLettersAllowed(best.name) ? best.name : null;
};
