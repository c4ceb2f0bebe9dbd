import { execFile } from 'node:child_process';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import startServers from '../../../tools/jest/global-setup.mjs';

const run = promisify(execFile);
const PROGRAMS = join(import.meta.dirname, '..', 'programs');

/** Installs the programs once for the whole run, in a folder of their own. Without the npm registry, only CI fails. */
export default async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-programs-'));
  globalThis.roundhousePrograms = folder;
  await cp(PROGRAMS, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const options = { cwd: folder, maxBuffer: Infinity };
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], options);
    const bundle = ['sdk.mjs', '--bundle', '--platform=node', '--outfile=sdk.cjs', '--log-level=warning'];
    await run(join('node_modules', '.bin', 'esbuild'), bundle, options);
    process.env.PROGRAMS_FOLDER = folder;
  } catch (error) {
    const reason = `The programs cannot be installed, so none of them is tested; they need the npm registry. ${error.message}`;
    if (process.env.CI) throw new Error(reason, { cause: error });
    process.stderr.write(`\n${reason}\n`);
  }
  await startServers();
};
