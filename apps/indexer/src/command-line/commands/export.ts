import { defineCommand } from '../command.js';
import { exportHelp } from '../help/export.js';

export const exportCommand = defineCommand({
  name: 'export',
  help: exportHelp,
  options: {
    out: { type: 'string', requiresArg: true, description: 'FILE: the archive to write' },
    network: {
      type: 'string',
      requiresArg: true,
      description: 'FILE: the network file to write; without it, beside the archive',
    },
    to: { type: 'string', requiresArg: true, description: 'HEIGHT: the last block; without it, the head' },
  },
  run: async ({ out, network, to }, environment) => {
    const [{ readDatabaseSettings }, { exportBlocks }] = await Promise.all([
      import('../database-settings.js'),
      import('../../commands/export.command.js'),
    ]);
    return exportBlocks(await readDatabaseSettings(environment), { out, network, to });
  },
});
