import { defineCommand } from '../command.js';
import { rollbackHelp } from '../help/rollback.js';

export const rollbackCommand = defineCommand({
  name: 'rollback',
  help: rollbackHelp,
  options: {
    to: { type: 'string', requiresArg: true, description: 'HEIGHT: the new head, at least 1' },
    yes: { type: 'boolean', default: false, description: 'without it nothing is done' },
  },
  run: async ({ to, yes }, environment) => {
    const [{ readDatabaseSettings }, { rollback }] = await Promise.all([
      import('../database-settings.js'),
      import('../../commands/rollback.command.js'),
    ]);
    await rollback(await readDatabaseSettings(environment), { to, isConfirmed: yes });
    return 0;
  },
});
