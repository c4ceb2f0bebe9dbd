import { defineCommand } from '../command.js';
import { digestHelp } from '../help/digest.js';

export const digestCommand = defineCommand({
  name: 'digest',
  help: digestHelp,
  options: {},
  run: async (_given, environment) => {
    const [{ readDatabaseSettings }, { digest }] = await Promise.all([
      import('../database-settings.js'),
      import('../../commands/digest.command.js'),
    ]);
    await digest(readDatabaseSettings(environment));
    return 0;
  },
});
