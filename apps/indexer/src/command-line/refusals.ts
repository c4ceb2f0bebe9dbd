import { OperatorError } from '@roundhouse/config';
import { distance } from 'fastest-levenshtein';
import type { OptionTable } from './command.js';

/** How many letters may be wrong: swapping two neighbours costs two. */
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

const suggestion = (typed: string, known: readonly string[], prefix = ''): string => {
  const name = nearest(typed, known);
  return name === null ? '' : ` Did you mean "${prefix}${name}"?`;
};

export const refuseCommand = (typed: string, names: readonly string[]): OperatorError =>
  new OperatorError(
    `There is no command "${typed}".${suggestion(typed, names)} The commands are ${names.join(', ')}; ` +
      `"indexer --help" says what they do.`,
  );

const dashed = (name: string): string => `${name.length === 1 ? '-' : '--'}${name}`;

/**
 * Throws unless everything that was typed belongs to the command, once. The strict mode of yargs detects unknown
 * options but suggests none; without it, yargs accepts anything.
 */
export const assertKnown = (
  command: string,
  options: OptionTable,
  given: Readonly<Record<string, unknown>>,
  words: readonly (string | number)[],
): void => {
  const known = Object.keys(options);
  const aliases = Object.values(options).flatMap(({ alias = [] }) => alias);
  const taken = new Set(['_', '$0', 'help', 'h', ...known, ...aliases]);
  const more = `"indexer ${command} --help" lists what it takes.`;
  for (const [option, value] of Object.entries(given)) {
    if (!taken.has(option)) {
      throw new OperatorError(
        `"indexer ${command}" has no option "${dashed(option)}".${suggestion(option, known, '--')} ${more}`,
      );
    }
    if (Array.isArray(value) && option !== '_') {
      throw new OperatorError(`"${dashed(option)}" is given more than once. ${more}`);
    }
  }
  const surplus = words[1];
  if (surplus === undefined) return;
  throw new OperatorError(
    `"indexer ${command}" takes no "${String(surplus)}".${suggestion(String(surplus), known, '--')} ${more}`,
  );
};
