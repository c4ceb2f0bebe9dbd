import type { Settings } from '@roundhouse/config';
import { composeSettings } from './compose.config.js';

interface Program {
  readonly name: string;
  readonly settings: Settings;
}

const FILES = {
  indexer: { file: 'indexer/src/indexer.config', settings: 'indexerSettings' },
  migrate: { file: 'indexer/src/migrate.config', settings: 'migrateSettings' },
  create: { file: 'indexer/src/snapshot.config', settings: 'snapshotCreateSettings' },
  restore: { file: 'indexer/src/snapshot.config', settings: 'snapshotSettings' },
  api: { file: 'api/src/api.config', settings: 'apiSettings' },
  devnet: { file: 'devnet/src/devnet.config', settings: 'devnetSettings' },
  launcher: { file: 'start/src/launcher.config', settings: 'launcherSettings' },
} as const;

/** Loads the settings of an app from its sources. It is a dynamic import, because no package may depend on an app. */
export const loadSettings = async (program: keyof typeof FILES): Promise<Settings> => {
  const { file, settings } = FILES[program];
  const url = new URL(`../../../apps/${file}.ts`, import.meta.url);
  const module = (await import(url.href)) as Record<string, Settings>;
  const found = module[settings];
  if (found === undefined) throw new Error(`${url.pathname} does not export ${settings}.`);
  return found;
};

/** Everything that reads settings, in the order of the documentation. */
export const listPrograms = async (): Promise<Program[]> => [
  { name: 'indexer', settings: await loadSettings('indexer') },
  { name: '`indexer migrate`', settings: await loadSettings('migrate') },
  { name: '`indexer snapshot create`', settings: await loadSettings('create') },
  { name: '`indexer snapshot restore`', settings: await loadSettings('restore') },
  { name: 'api', settings: await loadSettings('api') },
  { name: 'devnet', settings: await loadSettings('devnet') },
  { name: '`npm start`', settings: await loadSettings('launcher') },
  { name: '`docker compose`', settings: composeSettings },
];
