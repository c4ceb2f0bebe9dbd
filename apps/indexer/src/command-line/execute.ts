import type { Environment } from './command.js';

/** Runs one command and gives the exit code. What `indexer run` does not need is not loaded for it. */
export const execute = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.length === 0 || (args.length === 1 && args[0] === 'run')) {
    const { runCommand } = await import('./commands/run.js');
    return runCommand.run({}, environment);
  }
  const { parseAndRun } = await import('./parse-and-run.js');
  return parseAndRun(args, environment);
};
