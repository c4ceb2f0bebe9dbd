#!/usr/bin/env node
import { linesOf, printError } from '@roundhouse/logging';

const args = process.argv.slice(2);

/** `run` lives long: without yargs it starts 0.1 s sooner and holds 13 MB less. */
const isPlainRun = args.length === 0 || (args.length === 1 && args[0] === 'run');

const execute = async (): Promise<number> => {
  if (isPlainRun) return (await import('./commands/run.command.js')).command.run({}, process.env, '');
  return (await import('./command-line/parse-and-run.js')).parseAndRun(args, process.env);
};

try {
  // A step that hung and was abandoned would keep the process alive.
  process.exit(await execute());
} catch (error) {
  printError(...linesOf(error));
  process.exit(1);
}
