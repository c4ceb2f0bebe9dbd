import { defineCommand } from '../command.js';
import { migrateHelp } from '../help/migrate.js';

export const migrateCommand = defineCommand({
  name: 'migrate',
  help: migrateHelp,
  options: {},
  run: async (_given, environment) => {
    const [{ readSettings }, { migrateSettings }, { migrate }] = await Promise.all([
      import('@roundhouse/config'),
      import('../../migrate.config.js'),
      import('../../commands/migrate.command.js'),
    ]);
    await migrate(readSettings(migrateSettings, environment));
    return 0;
  },
});
