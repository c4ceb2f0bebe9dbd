import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inWorkspace } from '../generators/generated-files.js';
import { packClient } from './pack-client.js';
import { clientSbom } from './sbom.js';

const run = promisify(execFile);
const REPOSITORY = 'https://git.example.com/roundhouse/roundhouse';

const PROGRAM = `import { ApiError, RoundhouseClient } from '@roundhouse/client';

const client = new RoundhouseClient('http://127.0.0.1:1', { retries: 0 });
export const supply: bigint = (await client.get('/api/blocks/getSupply')).supply;
export const status = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.status : undefined;
for await (const { username } of client.delegates()) username satisfies string;
// @ts-expect-error The id is required.
await client.get('/api/blocks/get');
// @ts-expect-error Amounts are no numbers.
export const wrong: number = supply;
`;

describe('the published client, installed in a folder of its own', () => {
  let folder: string;
  let app: string;

  const installed = (path: string): string => join(app, 'node_modules/@roundhouse/client', path);

  const importIt = async (...flags: string[]): Promise<string> => {
    const code = `import * as client from '@roundhouse/client'; console.log(Object.keys(client).join());`;
    const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', code], {
      cwd: app,
    });
    return stdout;
  };

  /** What the compiler says to the program above. */
  const check = async (compilerOptions: object): Promise<string> => {
    const common = { noEmit: true, strict: true, target: 'es2022', skipLibCheck: true };
    await writeFile(
      join(app, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, files: ['program.ts'] }),
    );
    const tsc = inWorkspace('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', app]).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-pack-'));
    app = join(folder, 'app');
    await mkdir(app);
    const tarball = await packClient(folder, REPOSITORY);
    // Its dependencies as files too: the test needs no registry and no cache.
    const { dependencies } = JSON.parse(await readFile(inWorkspace('libs/client/package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const packed = Object.keys(dependencies).map((name) => inWorkspace(join('node_modules', name)));
    const options = ['--ignore-scripts', '--pack-destination', folder, '--loglevel', 'error'];
    const { stdout } = await run('npm', ['pack', ...options, ...packed], { cwd: folder });
    const files = stdout.trim().split('\n');
    await writeFile(join(app, 'package.json'), '{ "private": true, "type": "module" }');
    await writeFile(join(app, 'program.ts'), PROGRAM);
    const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
    await run('npm', ['install', ...flags, tarball, ...files.map((file) => join(folder, file))], {
      cwd: app,
    });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is imported by Node.js, whatever its conditions, and exports what the sources export', async () => {
    expect(await importIt()).toContain('RoundhouseClient');
    expect(await importIt('--conditions=@roundhouse/source')).toBe(await importIt());
  });

  it('has types for Node.js and for bundlers', async () => {
    const browser = { lib: ['es2023', 'dom', 'dom.asynciterable'], types: [] };
    expect(await check({ module: 'nodenext', ...browser, skipLibCheck: false })).toBe('');
    expect(await check({ module: 'preserve', moduleResolution: 'bundler', ...browser })).toBe('');
    const node = { lib: ['es2023'], types: ['node'], typeRoots: [inWorkspace('node_modules/@types')] };
    expect(await check({ module: 'nodenext', ...node })).toBe('');
  });

  it('refers to compiled files only, to nothing of the workspace, and to the repository that it is built from', async () => {
    const text = await readFile(installed('package.json'), 'utf8');
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect([manifest['license'], manifest['private']]).toEqual(['MIT', undefined]);
    const { exports, repository } = manifest;
    expect({ exports, repository }).toEqual({
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'libs/client' },
    });
    expect(text).not.toMatch(/"(?:nx|scripts|devDependencies)"|workspace|@roundhouse\/source/);
  });

  it('imports only itself and its dependencies, nothing of Node.js, in the versions that are tested', async () => {
    const read = async (path: string): Promise<{ version: string; dependencies: Record<string, string> }> =>
      JSON.parse(await readFile(path, 'utf8')) as never;
    const { dependencies } = await read(installed('package.json'));
    const imported = new Set<string>();
    for (const file of await readdir(installed('dist'), { recursive: true })) {
      if (!/(\.js|\.d\.ts)$/.test(file)) continue;
      const text = await readFile(installed(join('dist', file)), 'utf8');
      for (const [, from] of text.matchAll(/(?:from |import\()'([^']+)'/g)) imported.add(from!);
    }
    const outside = [...imported].filter((from) => !from.startsWith('./') && !from.startsWith('../'));
    expect(outside.sort()).toEqual(Object.keys(dependencies).sort());
    for (const [name, version] of Object.entries(dependencies)) {
      const tested = await read(inWorkspace(join('node_modules', name, 'package.json')));
      expect([name, version]).toEqual([name, tested.version]);
    }
  });

  it('contains README, licence and SBOM, and the sources that its source maps name', async () => {
    const files = await readdir(installed(''), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'sbom.cdx.json']));
    expect(await readFile(installed('sbom.cdx.json'), 'utf8')).toBe(await clientSbom());
    const maps = files.filter((file) => file.endsWith('.js.map'));
    expect(maps.length).toBeGreaterThan(10);
    expect(files.filter((file) => /spec|harness|tsconfig|tsbuildinfo/.test(file))).toEqual([]);
    const known =
      /^(LICENSE|README\.md|package\.json|sbom\.cdx\.json|(dist|src)\/.*(\.js|\.js\.map|\.ts)|[^.]+)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    for (const map of maps) {
      const { sources } = JSON.parse(await readFile(installed(map), 'utf8')) as { sources: string[] };
      for (const source of sources) expect(files).toContain(join(map, '..', source));
    }
  });
});
