import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const BUILD = fileURLToPath(new URL('../build.mjs', import.meta.url));

let folder: string;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const build = (): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILD], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const references = (...paths: string[]): object => ({ references: paths.map((path) => ({ path })) });

/** Two projects; the second one imports the first. The root names them in the wrong order. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundhouse-build-'));
  const compilerOptions = { composite: true, module: 'nodenext', types: [], lib: ['es2023'] };
  write('tsconfig.json', JSON.stringify({ files: [], ...references('libs/upper', 'libs/lower') }));
  write('libs/lower/tsconfig.json', JSON.stringify({ compilerOptions }));
  write('libs/lower/number.mts', 'export const number = 1;');
  write('libs/upper/tsconfig.json', JSON.stringify({ compilerOptions, ...references('../lower') }));
  write('libs/upper/sum.mts', "import { number } from '../lower/number.mjs';\nconsole.log(number + 1);");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('says which project of how many is compiled, and nothing when nothing has changed', () => {
  const first = build();
  expect(first).toMatchObject({ status: 0, stderr: '' });
  // Two seconds later there is another line.
  expect(first.stdout).toMatch(/^Compiling 1 of 2: libs\/lower\n(Compiling 2 of 2: libs\/upper\n)?$/);
  expect(spawnSync(process.execPath, [join(folder, 'libs/upper/sum.mjs')]).stdout.toString()).toBe('2\n');
  expect(build()).toEqual({ status: 0, stdout: '', stderr: '' });
  write('libs/upper/sum.mts', 'console.log(7);');
  expect(build()).toEqual({ status: 0, stdout: 'Compiling 2 of 2: libs/upper\n', stderr: '' });
});

it('shows what does not compile, and ends with code 1', () => {
  write('libs/lower/number.mts', 'export const number: = 1;');
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr).toMatch(/number\.mts.+error.+Type expected/s);
});
