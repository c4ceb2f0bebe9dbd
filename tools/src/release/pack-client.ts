import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inWorkspace } from '../generators/generated-files.js';
import { clientSbom } from './sbom.js';

const run = promisify(execFile);

const SBOM_FILE = 'sbom.cdx.json';

interface Manifest {
  exports: Record<string, string | Record<string, string>>;
  files: string[];
  scripts?: object;
  nx?: object;
  repository?: object;
}

/** The manifest for users: without what only this workspace understands. */
const publicManifest = (
  { scripts: _scripts, nx: _nx, ...manifest }: Manifest,
  repository: string | undefined,
): Manifest => {
  const { '@roundhouse/source': _source, ...entry } = manifest.exports['.'] as Record<string, string>;
  return {
    ...manifest,
    exports: { ...manifest.exports, '.': entry },
    files: [...manifest.files, SBOM_FILE],
    ...(repository === undefined
      ? {}
      : { repository: { type: 'git', url: `git+${repository}.git`, directory: 'libs/client' } }),
  };
};

const npmPack = async (from: string, to: string): Promise<string> => {
  const options = ['--ignore-scripts', '--pack-destination', to, '--loglevel', 'error'];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: from });
  return join(to, stdout.trim());
};

/**
 * Compiles and packs `@roundhouse/client` for users: compiled code, types, README, licence, SBOM, and the sources that
 * the source maps name.
 * @param folder where the package is written
 * @param repository its https address, which npm compares with the origin of the build
 * @returns the package's file
 */
export const packClient = async (folder: string, repository?: string): Promise<string> => {
  await run('npx', ['--no-install', 'tsc', '-b', 'libs/client'], { cwd: inWorkspace('') });
  const staged = await mkdtemp(join(tmpdir(), 'roundhouse-client-'));
  try {
    // npm chooses the files; then the manifest among them is replaced.
    await run('tar', ['-xzf', await npmPack(inWorkspace('libs/client'), staged), '-C', staged]);
    const content = join(staged, 'package');
    const manifestFile = join(content, 'package.json');
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
    await writeFile(manifestFile, `${JSON.stringify(publicManifest(manifest, repository), null, 2)}\n`);
    await writeFile(join(content, SBOM_FILE), await clientSbom());
    await mkdir(folder, { recursive: true });
    return await npmPack(content, folder);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
};
