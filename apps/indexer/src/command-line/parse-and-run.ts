import { OperatorError } from '@roundhouse/config';
import yargs, { type Argv } from 'yargs';
import type { Command, Environment } from './command.js';
import { runCommand } from './commands/run.js';
import { commands } from './commands.js';
import { overview } from './help/overview.js';
import { assertKnown, refuseCommand } from './refusals.js';

const WIDTH = 100;

/** Not a letter less than what was typed: no second spelling of an option, no number out of a text, no surprises. */
const PARSER = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
} as const;

const COMPLETION = 'completion';

/** The texts are broken for whoever edits them; yargs breaks them for whoever reads them. */
const paragraphs = (text: string): string => text.replace(/(?<!\n)\n(?!\n)/g, ' ');

const withHelp = (parser: Argv, { name, help, options }: Command): Argv => {
  const usage = `indexer ${name}${Object.keys(options).length > 0 ? ' [options]' : ''}\n\n${paragraphs(help.text)}`;
  const described = parser.usage(usage).options(options).epilogue(paragraphs(help.closing));
  return help.examples.reduce((before, [line, meaning]) => before.example(line, meaning), described);
};

/** yargs' own errors are sentences for whoever typed; all others are handed on. */
const translate = (error: unknown): unknown =>
  (error as Error).name === 'YError'
    ? new OperatorError(`${(error as Error).message}. "indexer --help" says more.`, { cause: error })
    : error;

/** Runs the command that the arguments name and gives its exit code; help and completion give 0. */
export const parseAndRun = async (args: readonly string[], environment: Environment): Promise<number> => {
  const names = [...commands.map(({ name }) => name), COMPLETION];
  let exitCode = 0;
  let parser: Argv = yargs([...args])
    .scriptName('indexer')
    .locale('en')
    .wrap(Math.min(WIDTH, process.stdout.columns ?? WIDTH))
    .parserConfiguration(PARSER)
    .usage(paragraphs(overview.usage))
    .epilogue(paragraphs(overview.closing))
    .version(false)
    .alias('help', 'h')
    .exitProcess(false)
    .fail(false);
  for (const command of commands) {
    parser = parser.command({
      command: command.name,
      describe: command.help.summary,
      builder: (own: Argv) => withHelp(own, command),
      handler: async (given) => {
        assertKnown(command, given, given._);
        exitCode = await command.run(given, environment);
      },
    });
  }
  parser = parser.completion(COMPLETION, overview.completion).command({
    command: '$0',
    describe: false,
    handler: async (given) => {
      const [typed] = given._;
      // As nothing may end the process but main, yargs goes on after it has printed the script.
      if (typed === COMPLETION) return;
      if (typed !== undefined) throw refuseCommand(String(typed), names);
      assertKnown(runCommand, given, []);
      exitCode = await runCommand.run({}, environment);
    },
  });
  try {
    await parser.parseAsync();
  } catch (error) {
    throw translate(error);
  }
  return exitCode;
};
