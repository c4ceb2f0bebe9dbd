import { defineCommand } from '../command.js';
import { syncHelp } from '../help/sync.js';

export const syncCommand = defineCommand({
  name: 'sync',
  help: syncHelp,
  options: {
    to: {
      type: 'string',
      requiresArg: true,
      description: "HEIGHT: end there; without it, at the source's newest block",
    },
  },
  run: async ({ to }, environment) => {
    const { sync } = await import('../../commands/sync.command.js');
    return sync(environment, to);
  },
});
