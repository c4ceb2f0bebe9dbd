import { OperatorError, wholeNumberOf } from '@roundhouse/config';
import type { InferredOptionTypes, Options } from 'yargs';

export type Environment = Readonly<Record<string, string | undefined>>;

export type OptionTable = Readonly<Record<string, Options>>;

/** One command: its help, its options and what it does. */
export interface Command<O extends OptionTable = OptionTable> {
  /** What `--help` shows above the options. */
  readonly text: string;
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What `--help` shows at the end: the variables that it needs, and its exit codes. */
  readonly closing: string;
  /** Words of which one must follow the command's name. */
  readonly actions?: readonly string[];
  readonly options: O;
  /** Returns the exit code. `action` is empty if the command has no actions. */
  readonly run: (given: InferredOptionTypes<O>, environment: Environment, action: string) => Promise<number>;
}

/** Derives the type of the argument of `run` from the options of the command. */
export const defineCommand = <const O extends OptionTable>(command: Command<O>): Command =>
  command as unknown as Command;

/** The number in an option; null if the option is missing. Throws `OperatorError`. */
export const readWholeNumber = (option: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const number = wholeNumberOf(text, 1, 999_999_999);
  if (number !== null) return number;
  throw new OperatorError(`${option} takes a whole number of 1 or more, not "${text}".`);
};
