import { defineCommand } from '../command.js';
import { verifyHelp } from '../help/verify.js';

export const verifyCommand = defineCommand({
  name: 'verify',
  help: verifyHelp,
  options: {
    against: {
      type: 'string',
      requiresArg: true,
      description:
        'URL: instead, compare delegates, voters, weights and forged totals with the public API of a running Core node, each at a moment when node and index are at the same block (a Core 3 node has some weights wrong until it is restarted: docs/differences.md)',
    },
  },
  run: async ({ against }, environment) => {
    const [{ readDatabaseSettings }, { endsAtOnce }, { exitCodeOfCheck }] = await Promise.all([
      import('../database-settings.js'),
      import('../stop-signals.js'),
      import('../check-exit-code.js'),
    ]);
    endsAtOnce('Stopped: nothing was changed. "indexer verify" begins anew.');
    return exitCodeOfCheck(async () => {
      const settings = await readDatabaseSettings(environment);
      if (against === undefined) {
        const { verify } = await import('../../commands/verify.command.js');
        return verify(settings);
      }
      const { verifyAgainst } = await import('../../commands/verify-against.command.js');
      return verifyAgainst(settings, against);
    });
  },
});
