import { defineCommand } from '../command.js';
import { runHelp } from '../help/run.js';

export const runCommand = defineCommand({
  name: 'run',
  help: runHelp,
  options: {},
  run: async (_given, environment) => {
    const { run } = await import('../../commands/run.command.js');
    return run(environment);
  },
});
