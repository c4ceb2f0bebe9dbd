import { defineCommand } from '../command.js';
import { migrateHelp } from '../help/migrate.js';

export const migrateCommand = defineCommand({
  name: 'migrate',
  help: migrateHelp,
  options: {},
  run: async (_given, environment) => {
    const [{ readCommandSettings }, { migrateSettings }, { migrate }] = await Promise.all([
      import('../database-settings.js'),
      import('../../migrate.config.js'),
      import('../../commands/migrate.command.js'),
    ]);
    await migrate(await readCommandSettings(migrateSettings, environment));
    return 0;
  },
});
