import { defineCommand } from '../command.js';
import { digestHelp } from '../help/digest.js';

export const digestCommand = defineCommand({
  name: 'digest',
  help: digestHelp,
  options: {
    rounds: {
      type: 'string',
      requiresArg: true,
      description: 'N: instead, the digests that are stored of the N newest rounds that have ended',
    },
    at: {
      type: 'string',
      requiresArg: true,
      description: 'ROUND: instead, the digest that is stored of the state after that round, and its parts',
    },
  },
  run: async ({ rounds, at }, environment) => {
    const [{ readDatabaseSettings }, { digest }, { printRoundDigests }] = await Promise.all([
      import('../database-settings.js'),
      import('../../commands/digest.command.js'),
      import('../../commands/round-digests.command.js'),
    ]);
    const settings = await readDatabaseSettings(environment);
    if (rounds === undefined && at === undefined) await digest(settings);
    else await printRoundDigests(settings, { rounds, at });
    return 0;
  },
});
