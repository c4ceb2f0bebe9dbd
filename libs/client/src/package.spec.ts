import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly private?: boolean;
  readonly types: string;
  readonly exports: { readonly '.': Readonly<Record<string, string>> };
  readonly dependencies: Readonly<Record<string, string>>;
}

const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(path, 'utf8')) as Manifest;

describe('the package that is published', () => {
  let folder: string;
  let unpacked: string;
  let files: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-client-'));
    await run('node', ['node_modules/typescript/bin/tsc', '-b', 'libs/client'], { cwd: WORKSPACE });
    const options = ['--ignore-scripts', '--pack-destination', folder, '--loglevel', 'error'];
    await run('npm', ['pack', ...options], { cwd: PACKAGE });
    const [archive] = await readdir(folder);
    await run('tar', ['-xzf', archive!], { cwd: folder });
    unpacked = join(folder, 'package');
    files = (await readdir(unpacked, { recursive: true })).sort();
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contains code, types, sources, licence and README, and nothing else', () => {
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/client.d.ts', 'dist/client.js', 'src/client.ts']),
    );
    const others = files.filter(
      (file) => !/^(LICENSE|README\.md|package\.json|(dist|src)\/.*(\.js|\.js\.map|\.ts)|[^.]+)$/.test(file),
    );
    expect(others).toEqual([]);
    expect(files.filter((file) => /spec|harness|tsbuildinfo/.test(file))).toEqual([]);
  });

  it('refers only to files that it contains', async () => {
    const manifest = await readManifest(join(unpacked, 'package.json'));
    expect([manifest.license, manifest.private]).toEqual(['MIT', undefined]);
    for (const path of [manifest.types, ...Object.values(manifest.exports['.'])]) {
      expect(files).toContain(path.replace('./', ''));
    }
  });

  it('imports only itself and its dependencies, nothing of Node.js or of the workspace', async () => {
    const { dependencies } = await readManifest(join(unpacked, 'package.json'));
    const imported = new Set<string>();
    for (const file of files.filter((name) => /^dist\/.*(\.js|\.d\.ts)$/.test(name))) {
      const text = await readFile(join(unpacked, file), 'utf8');
      for (const [, from] of text.matchAll(/(?:from |import\()'([^']+)'/g)) imported.add(from!);
    }
    const outside = [...imported].filter((from) => !from.startsWith('./') && !from.startsWith('../'));
    expect(outside.sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('requires its dependencies in the versions that are tested', async () => {
    const { dependencies } = await readManifest(join(PACKAGE, 'package.json'));
    for (const [name, version] of Object.entries(dependencies)) {
      const installed = await readManifest(join(WORKSPACE, 'node_modules', name, 'package.json'));
      expect([name, installed.version]).toEqual([name, version]);
    }
  });

  it('works when installed: plain Node.js imports it, and strict TypeScript accepts its types', async () => {
    await run('ln', ['-s', join(WORKSPACE, 'node_modules'), join(folder, 'node_modules')]);
    const entry = JSON.stringify(join(unpacked, 'dist/index.js'));
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `import { RoundhouseClient } from ${entry}; console.log(typeof new RoundhouseClient('http://x').get)`,
    ]);
    expect(stdout).toBe('function\n');
    await writeFile(
      join(folder, 'user.ts'),
      `import { RoundhouseClient } from './package/dist/index.js';
const client = new RoundhouseClient('http://x');
export const supply: bigint = (await client.get('/api/blocks/getSupply')).supply;
// @ts-expect-error The id is required.
await client.get('/api/blocks/get');
// @ts-expect-error There is no such endpoint.
await client.get('/api/nothing');
`,
    );
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
    const tsc = join(WORKSPACE, 'node_modules/typescript/bin/tsc');
    const checked = await run('node', [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });
});
