import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inWorkspace } from '../generators/generated-files.js';
import { clientSbom } from './sbom.js';

const run = promisify(execFile);

const CLIENT = inWorkspace('libs/client');
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

/** Compiles the sources in `folder`, which imports what the workspace has installed. */
const compile = async (folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules');
  await symlink(inWorkspace('node_modules'), modules);
  const config = {
    extends: join(CLIENT, 'tsconfig.json'),
    compilerOptions: { composite: false, incremental: false, rootDir: 'src', outDir: 'dist' },
    include: ['src/**/*.ts'],
    exclude: ['src/**/*spec.ts', 'src/**/*.harness.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [inWorkspace('node_modules/typescript/bin/tsc'), '-p', folder]);
  await rm(modules);
};

/**
 * Compiles and packs `@roundhouse/client` for users: compiled code, types, README, licence, SBOM, and the sources that
 * the source maps name.
 * @param folder where the package is written
 * @param repository its https address, which npm compares with the origin of the build
 * @returns the package's file
 */
export const packClient = async (folder: string, repository?: string): Promise<string> => {
  // A copy: `dist` of the workspace may hold files whose sources are gone, and others may be writing it.
  const staged = await mkdtemp(join(tmpdir(), 'roundhouse-client-'));
  try {
    for (const path of ['package.json', 'README.md', 'LICENSE', 'src']) {
      await cp(join(CLIENT, path), join(staged, path), { recursive: true });
    }
    await compile(staged);
    const manifestFile = join(staged, 'package.json');
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
    await writeFile(manifestFile, `${JSON.stringify(publicManifest(manifest, repository), null, 2)}\n`);
    await writeFile(join(staged, SBOM_FILE), await clientSbom());
    await mkdir(folder, { recursive: true });
    const options = ['--ignore-scripts', '--pack-destination', folder, '--loglevel', 'error'];
    const { stdout } = await run('npm', ['pack', ...options], { cwd: staged });
    return join(folder, stdout.trim());
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
};
