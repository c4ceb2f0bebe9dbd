import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { misspelt, readSettings, SettingsError } from '@roundhouse/config';
import type { FolderLock } from '@roundhouse/local-postgres';
import { FolderInUseError, LocalPostgresError, lockFolder, stopRequest } from '@roundhouse/local-postgres';
import { launcherSettings } from './launcher.config.js';
import { LauncherError } from './launcher.error.js';
import { shortPath } from './screen.js';
import { Stack } from './stack.js';

/** How long a second start on a folder waits for the running launcher to stop before it is refused. */
const HANDOVER_MS = 5_000;

const lockDataFolder = async (folder: string): Promise<FolderLock> => {
  const deadline = performance.now() + HANDOVER_MS;
  for (;;) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) {
        throw new LauncherError(
          `${folder} cannot be used (${(error as Error).message}): set DATA_DIR to a folder that you may write to.`,
        );
      }
      if (performance.now() > deadline) {
        throw new LauncherError(
          `Roundhouse is already running on ${folder} (process ${error.pid ?? 'unknown'}): stop it, or set DATA_DIR and the ports to other values.`,
        );
      }
      await delay(100);
    }
  }
};

const showReady = (url: string, dataFolder: string): void => {
  console.log(`
Ready. The page: ${url}/    the API's description: ${url}/docs    logs: ${shortPath(dataFolder)}/logs

  curl ${url}/api/blocks/getHeight
  curl '${url}/api/delegates?limit=3'
  curl ${url}/api/delegates/getNextForgers

Ctrl-C stops everything. The next start continues from here.`);
};

/** The environment without empty variables, which count as not set. */
const setVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

const isOperatorsError = (error: unknown): error is Error =>
  error instanceof LauncherError || error instanceof LocalPostgresError || error instanceof SettingsError;

/** If Node.js prints the whole error, it shows the address that it could not parse, with its password. */
const showError = (error: unknown): void =>
  console.error(isOperatorsError(error) ? error.message : (error as Error).stack);

const run = async (): Promise<void> => {
  const misspellings = misspelt(launcherSettings, process.env);
  const settings = readSettings(launcherSettings, process.env);
  const signal = stopRequest(process.env['npm_lifecycle_event'] === 'start');
  const dataFolder = resolve(settings.DATA_DIR);
  const lock = await lockDataFolder(dataFolder);
  const stack = new Stack({ settings, dataFolder, environment: setVariables() }, signal);
  try {
    console.log('Roundhouse');
    const url = await stack.start();
    for (const line of new Set([...misspellings, ...stack.said])) console.error(line);
    showReady(url, dataFolder);
    await Promise.race([stack.watch(), once(signal, 'abort')]);
  } catch (error) {
    if (!signal.aborted) {
      // Stopping the rest may take a while: the reason comes first.
      showError(error);
      process.exitCode = 1;
    }
  } finally {
    if (signal.aborted) console.log('Stopping …');
    await stack.stop();
    lock.release();
  }
  if (signal.aborted) console.log('Stopped.');
};

try {
  await run();
  process.exit();
} catch (error) {
  showError(error);
  process.exit(1);
}
