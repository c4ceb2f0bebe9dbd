import { defineCommand } from '../command.js';
import { rebuildHelp } from '../help/rebuild.js';

export const rebuildCommand = defineCommand({
  name: 'rebuild',
  help: rebuildHelp,
  options: {},
  run: async (_given, environment) => {
    const [{ readCommandSettings }, { rebuildSettings }, { endsAtOnce }, { exitCodeOfCheck }] =
      await Promise.all([
        import('../database-settings.js'),
        import('../../indexer.config.js'),
        import('../stop-signals.js'),
        import('../check-exit-code.js'),
      ]);
    endsAtOnce('Stopped: the index is as it was. "indexer rebuild" begins anew.');
    return exitCodeOfCheck(async () => {
      const { rebuild } = await import('../../commands/rebuild.command.js');
      return rebuild(await readCommandSettings(rebuildSettings, environment));
    });
  },
});
