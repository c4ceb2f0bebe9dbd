import { defineCommand } from '../command.js';
import { statusHelp } from '../help/status.js';

export const statusCommand = defineCommand({
  name: 'status',
  help: statusHelp,
  options: {
    json: {
      type: 'boolean',
      default: false,
      description: 'one JSON object; with --watch one a line, at each change',
    },
    watch: { type: 'boolean', default: false, alias: 'w', description: 'go on, looking once a second' },
  },
  run: async ({ json, watch }, environment) => {
    const { status } = await import('../../commands/status.command.js');
    return status(environment, { asJson: json, isWatching: watch });
  },
});
