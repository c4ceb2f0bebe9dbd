import type { InferredOptionTypes, Options } from 'yargs';

export type Environment = Readonly<Record<string, string | undefined>>;

export type OptionTable = Readonly<Record<string, Options>>;

/** What `--help` says of one command, apart from its options. */
export interface Help {
  /** One line, for the list of all commands. */
  readonly summary: string;
  readonly text: string;
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** The variables that it reads, and its exit codes. */
  readonly closing: string;
}

/** One command as the command line knows it. What it does is loaded when it runs: `run` must start fast. */
export interface Command<O extends OptionTable = OptionTable> {
  readonly name: string;
  readonly help: Help;
  readonly options: O;
  /** Gives the exit code. */
  readonly run: (given: InferredOptionTypes<O>, environment: Environment) => Promise<number>;
}

/** Ties the options that a command takes to what its `run` is given. */
export const defineCommand = <const O extends OptionTable>(command: Command<O>): Command =>
  command as unknown as Command;
