#!/usr/bin/env node
import { setImmediate } from 'node:timers/promises';
import { linesOf, printError } from '@roundhouse/logging';

const args = process.argv.slice(2);

/** `run` lives long: without yargs it starts 0.1 s sooner and holds 13 MB less. */
const isPlainRun = args.length === 0 || (args.length === 1 && args[0] === 'run');

const execute = async (): Promise<number> => {
  if (isPlainRun) return (await import('./commands/run.command.js')).command.run({}, process.env, '');
  // A report that was lost is no success. A reader that has enough, such as head, closes the pipe.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    printError(`The output cannot be written (${message}).`);
    process.exit(1);
  });
  return (await import('./command-line/parse-and-run.js')).parseAndRun(args, process.env);
};

try {
  // A step that hung and was abandoned would keep the process alive.
  const code = await execute();
  // Lets an error of the output arrive.
  await setImmediate();
  process.exit(code);
} catch (error) {
  const { explained } = await import('./database/database-trouble.js');
  printError(...linesOf(explained(error)));
  process.exit(1);
}
