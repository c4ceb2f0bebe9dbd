import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inWorkspace } from '../generators/generated-files.js';
import { readArguments } from './arguments.js';
import { release, type ReleaseOptions } from './release.js';
import {
  developmentVersion,
  FILES_WITH_VERSION,
  findWorkspaces,
  nextVersion,
  readVersion,
  type Step,
} from './versions.js';

/** What is wrong with a tree's version and changelog, at any time between two releases. */
const versionProblem = (version: string, changelog: string): string | null => {
  const [unreleased, ...released] = changelog.split(/^## /m).slice(1);
  const undated = released.find((section) => !/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)\n/.test(section));
  if (undated !== undefined) return `a released version has no date: ${undated.split('\n')[0]}`;
  if (version.endsWith('-dev')) return null;
  if (/^- /m.test(unreleased!)) return `changes are unreleased, but ${version} is a released version`;
  return released[0]?.startsWith(`${version} `) ? null : `${version} is not the newest released version`;
};

const CHANGELOG = `# Changelog

## Unreleased

### Added

- A page.

## 1.9.3 (2026-11-01)

- The first version.
`;

describe('a release', () => {
  /** Copied for each test. */
  let made: string;
  let folder: string;
  let workspaces: string[];
  /** The next version. */
  let next: string;

  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const write = (path: string, text: string): Promise<void> => writeFile(join(folder, path), text);
  const commit = async (path: string, text: string): Promise<void> => {
    await write(path, text);
    git('commit', '--quiet', '--all', '--message', 'other');
  };

  const make = (options: Partial<ReleaseOptions> = {}): Promise<string> =>
    release({
      folder,
      step: 'minor',
      ci: ['true'],
      generate: ['true'],
      today: '2026-12-01',
      ...options,
    });

  /** Everything that a release changes. */
  const state = (): string[] => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')];

  const refusal = async (options?: Partial<ReleaseOptions>): Promise<string> => {
    const before = state();
    const outcome = await make(options).catch((error: Error) => error);
    expect(state()).toEqual(before);
    return outcome instanceof Error ? outcome.message : `released ${outcome}`;
  };

  // The manifests of this project, with a changelog of our own.
  beforeAll(async () => {
    folder = made = await mkdtemp(join(tmpdir(), 'roundhouse-release-'));
    workspaces = await findWorkspaces(inWorkspace(''));
    const manifests = ['.', ...workspaces].map((path) => join(path, 'package.json'));
    for (const path of [...manifests, 'package-lock.json', ...FILES_WITH_VERSION]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await cp(inWorkspace(path), join(folder, path));
    }
    await write('CHANGELOG.md', CHANGELOG);
    await write('generated.json', '');
    next = nextVersion(await readVersion(folder), 'minor');
    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'a maintainer');
    git('config', 'user.email', 'maintainer@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'begin');
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-release-'));
    await cp(made, folder, { recursive: true, preserveTimestamps: true });
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(() => rm(made, { recursive: true, force: true }));

  it('sets the version in every manifest, in the lockfile and in what names the image, and nothing else', async () => {
    const from = await readVersion(folder);
    expect(await make()).toBe(`v${next}`);
    expect(workspaces.length).toBeGreaterThan(20);
    git('checkout', '--quiet', `v${next}`);
    for (const path of ['', ...workspaces]) expect(await readVersion(join(folder, path))).toBe(next);
    const changed = git('show', '--format=', '--unified=0', 'HEAD', '--', '.', ':!CHANGELOG.md')
      .split('\n')
      .filter((line) => /^[+-](?![+-])/.test(line));
    const removed = changed.filter((line) => line.startsWith('-'));
    // Each package is in its manifest and in the lockfile, which also states the version of the root at its top.
    expect(removed).toHaveLength(2 * (workspaces.length + 1) + 1 + FILES_WITH_VERSION.length);
    expect(removed.filter((line) => !line.includes(from))).toEqual([]);
    const added = changed.filter((line) => line.startsWith('+'));
    expect(added.map((line) => line.slice(1)).sort()).toEqual(
      removed.map((line) => line.slice(1).replaceAll(from, next)).sort(),
    );
  });

  it('runs CI on the clean tree, commits with what is generated, tags, and moves the changes under the version', async () => {
    const seen = 'git diff --quiet HEAD && test -z "$(git tag)" && cp package.json .git/seen';
    const before = await read('package.json');
    const tag = await make({ ci: ['sh', '-c', seen], generate: ['cp', 'package.json', 'generated.json'] });
    expect(await read('.git/seen')).toBe(before);
    expect(git('show', `${tag}:generated.json`)).toContain(`"version": "${next}"`);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', `${tag}^{commit}`)).toBe(git('rev-parse', 'HEAD~1'));
    expect(git('cat-file', '-t', tag)).toBe('tag');
    expect(git('log', '-1', '--format=%s', tag)).toBe(`chore(release): ${next}`);
    expect(await read('CHANGELOG.md')).toBe(
      CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## ${next} (2026-12-01)\n`),
    );
  });

  it('leaves main at the next development version, so that nobody takes it for the release', async () => {
    const tag = await make({ generate: ['cp', 'package.json', 'generated.json'] });
    const development = developmentVersion(next);
    for (const path of ['', ...workspaces]) expect(await readVersion(join(folder, path))).toBe(development);
    expect(git('show', 'HEAD:generated.json')).toContain(`"version": "${development}"`);
    expect(git('log', '-1', '--format=%s')).toBe(`chore(release): begin ${development}`);
    expect(git('diff', '--name-only', tag, 'HEAD', '--', 'CHANGELOG.md')).toBe('');
    expect(nextVersion(development, 'patch')).toBe(development.replace('-dev', ''));
  });

  it('only says its tag in a dry run', async () => {
    expect(await refusal({ isDryRun: true, ci: ['false'] })).toBe(`released v${next}`);
    await write('new.txt', 'text');
    expect(await refusal({ isDryRun: true })).toContain('commit these changes first.');
  });

  it.each<[string, () => unknown, string]>([
    ['with uncommitted changes', () => write('new.txt', 'text'), 'commit these changes first.\n?? new.txt'],
    [
      'on a branch other than main',
      () => git('switch', '--quiet', '--create', 'topic'),
      'Releases are made on main, not on "topic": run git switch main.',
    ],
    ['if its tag exists', () => git('tag', `v${next}`), `exists: that version was released`],
    [
      'if nothing is listed as unreleased',
      () => commit('CHANGELOG.md', CHANGELOG.replace('- A page.\n', '')),
      'lists nothing under "Unreleased"',
    ],
    [
      'if a file does not name the version',
      () => commit('docker-compose.yml', 'services: {}\n'),
      'docker-compose.yml does not name version',
    ],
  ])('is refused %s, and leaves the tree as it was', async (_when, prepare, message) => {
    await prepare();
    expect(await refusal()).toContain(message);
  });

  it('is refused if CI fails, cannot run, or changes files', async () => {
    expect(await refusal({ ci: ['sh', '-c', 'exit 3'] })).toContain('sh -c exit 3 failed');
    expect(await refusal({ ci: ['./no-such-program'] })).toContain('./no-such-program failed');
    const outcome = await make({ ci: ['touch', 'written-by-ci'] }).catch((error: Error) => error.message);
    expect(outcome).toContain('commit them, then release.\n?? written-by-ci');
    expect(git('tag')).toBe('');
  });

  it('and main after it have a version that fits the changelog', async () => {
    const problem = async (): Promise<string | null> =>
      versionProblem(await readVersion(folder), await read('CHANGELOG.md'));
    await make();
    expect(await problem()).toBeNull();
    git('checkout', '--quiet', `v${next}`);
    expect(await problem()).toBeNull();
    await write(
      'CHANGELOG.md',
      (await read('CHANGELOG.md')).replace('## Unreleased\n', '## Unreleased\n\n- A bug.\n'),
    );
    expect(await problem()).toContain('changes are unreleased');
  });

  it('leaves the tree as it was if a file cannot be generated', async () => {
    const breaks = ['sh', '-c', 'echo half > CHANGELOG.md; exit 1'] as const;
    expect(await refusal({ generate: breaks })).toContain('failed: see above.');
  });
});

describe('the arguments of a release', () => {
  it.each(['', 'huge', 'patch minor', 'patch --dryrun', 'patch --dry-run=yes'])('may not be "%s"', (line) => {
    expect(() => readArguments(line.split(' '))).toThrow('Say which number to increase');
  });

  it('are a number and --dry-run', () => {
    expect(readArguments(['patch'])).toEqual({ step: 'patch', isDryRun: false });
    expect(readArguments(['--dry-run', 'minor'])).toEqual({ step: 'minor', isDryRun: true });
  });
});

describe('this tree', () => {
  it('is no released version while changes are unreleased, and each released version has its date', async () => {
    const changelog = await readFile(inWorkspace('CHANGELOG.md'), 'utf8');
    expect(versionProblem(await readVersion(inWorkspace('')), changelog)).toBeNull();
  });
});

describe('the next version', () => {
  it.each<[string, Step, string]>([
    ['0.1.0', 'minor', '0.2.0'],
    ['1.9.3', 'patch', '1.9.4'],
    ['1.9.3', 'major', '2.0.0'],
    ['1.9.3', 'minor', '1.10.0'],
    ['0.2.0-dev', 'patch', '0.2.0'],
    ['0.2.0-dev', 'minor', '0.2.0'],
    ['0.2.0-dev', 'major', '1.0.0'],
    ['0.2.1-dev', 'patch', '0.2.1'],
    ['0.2.1-dev', 'minor', '0.3.0'],
    ['1.0.0-dev', 'major', '1.0.0'],
    ['1.0.1-dev', 'major', '2.0.0'],
  ])('after %s, %s: %s', (version, step, next) => {
    expect(nextVersion(version, step)).toBe(next);
  });

  it('is not guessed for a version that is not three numbers', () => {
    expect(() => nextVersion('1.0.0-beta.1', 'minor')).toThrow('set it to three numbers');
  });
});
