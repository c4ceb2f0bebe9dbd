import { OperatorError } from '@roundhouse/config';
import yargs, { type Argv } from 'yargs';
import type { Command, Environment } from './command.js';
import { commands } from './commands.js';
import { closeDatabase } from './database-settings.js';
import { assertFlags, assertKnown, refuseCommand } from './refusals.js';

const WIDTH = 100;

/** Options are taken exactly as typed: no second spelling, and no text that becomes a number. */
const PARSER = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
} as const;

const COMPLETION = 'completion';

const USAGE = `indexer [command]

Reads blocks from a node into PostgreSQL. Without a command it runs: it follows the chain until it is stopped.`;

const CLOSING = `"indexer <command> --help" describes a command, with examples. Settings are environment variables;
docs/configuration.md lists them all. Without DATABASE_URL, a command uses the embedded PostgreSQL of "npm start"
in DATA_DIR (.data), and starts it if it does not run.

Exit code: 0 done. 1 not done, or something differs: the last line says what to do. 2 (verify and rebuild only): it
could not be checked or done. 130 or 143 stopped by Ctrl-C or SIGTERM: nothing is half written, and the last line says
how to continue. A second Ctrl-C ends the program at once; stored data stays consistent.

Completion: source <(indexer completion), where "indexer" is this program's name in your shell.`;

/** Joins the lines of each paragraph: yargs wraps them at the width of the terminal. */
const paragraphs = (text: string): string => text.replace(/(?<!\n)\n(?!\n)/g, ' ');

const withHelp = (parser: Argv, name: string, command: Command): Argv => {
  const { text, actions = [], options, examples, closing } = command;
  const line = [
    `indexer ${name}`,
    ...(actions.length > 0 ? [actions.join('|')] : []),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ];
  const usage = `${line.join(' ')}\n\n${paragraphs(text)}`;
  const described = parser.usage(usage).options(options).epilogue(paragraphs(closing));
  return examples.reduce((before, [line, meaning]) => before.example(line, meaning), described);
};

/** Errors of yargs are sentences about what was typed; others are passed on. */
const translate = (error: unknown): unknown =>
  (error as Error).name === 'YError'
    ? new OperatorError(`${(error as Error).message}. "indexer --help" says more.`, { cause: error })
    : error;

/** Runs the command that the arguments name and returns its exit code; help and completion return 0. */
export const parseAndRun = async (args: readonly string[], environment: Environment): Promise<number> => {
  const names = [...commands.map(({ name }) => name), COMPLETION];
  if (args[0] === COMPLETION && args[1] !== undefined && args[1] !== '--help')
    throw new OperatorError(
      `"indexer completion" takes no "${args[1]}": it prints what zsh needs if SHELL names zsh, and what bash needs otherwise.`,
    );
  let exitCode = 0;
  let parser: Argv = yargs([...args])
    .scriptName('indexer')
    .locale('en')
    .wrap(Math.min(WIDTH, process.stdout.columns ?? WIDTH))
    .parserConfiguration(PARSER)
    .usage(paragraphs(USAGE))
    .epilogue(paragraphs(CLOSING))
    .version(false)
    .alias('help', 'h')
    .exitProcess(false)
    .fail(false);
  for (const { name, summary, load } of commands) {
    // Loaded before yargs parses: its completion does not wait for an asynchronous builder.
    const command = args.includes(name) ? (await load()).command : null;
    parser = parser.command({
      command: name,
      describe: summary,
      builder: (own: Argv) => (command === null ? own : withHelp(own, name, command)),
      handler: async (given) => {
        assertFlags(command!, args);
        const action = assertKnown(name, command!, given, given._);
        exitCode = await command!.run(given, environment, action);
      },
    });
  }
  parser = parser
    .completion(COMPLETION, 'print what bash or zsh needs to complete commands and options')
    .command({
      command: '$0',
      describe: false,
      handler: async (given) => {
        const [typed] = given._;
        // Only main.ts ends the process, so yargs goes on after it has printed the script.
        if (typed === COMPLETION) return;
        if (typed !== undefined) throw refuseCommand(String(typed), names);
        const { command } = await commands[0]!.load();
        assertKnown('run', command, given, []);
        exitCode = await command.run({}, environment, '');
      },
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    throw translate(error);
  } finally {
    await closeDatabase();
  }
  return exitCode;
};
