import { OperatorError } from '@roundhouse/config';
import { distance } from 'fastest-levenshtein';
import type { Command } from './command.js';

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

/** Throws if a flag was typed with another value than true or false, which yargs takes for false. */
export const assertFlags = ({ options }: Pick<Command, 'options'>, args: readonly string[]): void => {
  for (const [name, { type }] of Object.entries(options)) {
    const typed = args.find((arg) => arg.startsWith(`--${name}=`));
    if (type === 'boolean' && typed !== undefined && !/=(true|false)$/.test(typed))
      throw new OperatorError(`"--${name}" takes no value: leave "${typed.slice(name.length + 2)}" out.`);
  }
};

const dashed = (name: string): string => `${name.length === 1 ? '-' : '--'}${name}`;

/** The action that was typed; empty if the command has none. */
const actionOf = (command: string, actions: readonly string[], typed: string | undefined): string => {
  if (actions.length === 0) return '';
  if (typed !== undefined && actions.includes(typed)) return typed;
  const list = `"indexer ${command}" takes one of ${actions.join(', ')}`;
  throw new OperatorError(
    typed === undefined ? `${list}.` : `${list}, not "${typed}".${suggestion(typed, actions)}`,
  );
};

/**
 * Throws unless everything that was typed belongs to the command, once. Returns the action. The strict mode of yargs detects unknown
 * options but suggests none; without it, yargs accepts anything.
 */
export const assertKnown = (
  command: string,
  { options, actions = [] }: Pick<Command, 'options' | 'actions'>,
  given: Readonly<Record<string, unknown>>,
  words: readonly (string | number)[],
): string => {
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
  const action = actionOf(command, actions, words[1] === undefined ? undefined : String(words[1]));
  const surplus = words[action === '' ? 1 : 2];
  if (surplus === undefined) return action;
  throw new OperatorError(
    `"indexer ${command}" takes no "${String(surplus)}".${suggestion(String(surplus), known, '--')} ${more}`,
  );
};
