import { defineCommand } from '../command.js';
import { resetHelp } from '../help/reset.js';

export const resetCommand = defineCommand({
  name: 'reset',
  help: resetHelp,
  options: {
    yes: { type: 'boolean', default: false, description: 'without it nothing is done' },
  },
  run: async ({ yes }, environment) => {
    const [{ readDatabaseSettings }, { reset }] = await Promise.all([
      import('../database-settings.js'),
      import('../../commands/reset.command.js'),
    ]);
    await reset(await readDatabaseSettings(environment), yes);
    return 0;
  },
});
