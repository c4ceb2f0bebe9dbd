import { OperatorError } from '@roundhouse/config';
import type { Command } from './command.js';
import { nearest } from './nearest.js';

const meant = (typed: string, known: readonly string[], prefix = ''): string => {
  const name = nearest(typed, known);
  return name === null ? '' : ` Did you mean "${prefix}${name}"?`;
};

export const refuseCommand = (typed: string, names: readonly string[]): OperatorError =>
  new OperatorError(
    `There is no command "${typed}".${meant(typed, names)} The commands are ${names.join(', ')}; ` +
      `"indexer --help" says what they do.`,
  );

const dashed = (name: string): string => `${name.length === 1 ? '-' : '--'}${name}`;

/**
 * Throws unless all that was typed is the command's own, once. yargs' strict mode knows what is unknown, but not what
 * was meant; without it yargs takes anything.
 */
export const assertKnown = (
  { name, options }: Command,
  given: Readonly<Record<string, unknown>>,
  words: readonly (string | number)[],
): void => {
  const known = Object.keys(options);
  const aliases = Object.values(options).flatMap(({ alias = [] }) => alias);
  const taken = new Set(['_', '$0', 'help', 'h', ...known, ...aliases]);
  const more = `"indexer ${name} --help" lists what it takes.`;
  for (const [option, value] of Object.entries(given)) {
    if (!taken.has(option)) {
      throw new OperatorError(
        `"indexer ${name}" has no option "${dashed(option)}".${meant(option, known, '--')} ${more}`,
      );
    }
    if (Array.isArray(value) && option !== '_') {
      throw new OperatorError(`"${dashed(option)}" is given more than once. ${more}`);
    }
  }
  const surplus = words[1];
  if (surplus === undefined) return;
  throw new OperatorError(
    `"indexer ${name}" takes no "${String(surplus)}".${meant(String(surplus), known, '--')} ${more}`,
  );
};
