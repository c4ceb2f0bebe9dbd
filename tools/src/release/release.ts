import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeUnreleased } from './changelog.js';
import { ReleaseError } from './release.error.js';
import { developmentVersion, nextVersion, readVersion, setVersions, type Step } from './versions.js';

const execute = promisify(execFile);

type Command = readonly [program: string, ...args: string[]];

export interface ReleaseOptions {
  /** The root of the repository. */
  readonly folder: string;
  readonly step: Step;
  /** Only says which tag it would be, if the release is not refused before CI runs. (Default: false) */
  readonly isDryRun?: boolean;
  /** All checks. */
  readonly ci: Command;
  /** Writes the files that are generated from the sources. */
  readonly generate: Command;
  /** YYYY-MM-DD */
  readonly today: string;
}

/**
 * Makes a release in git: a commit with the new version everywhere, the tag of that version, and a commit with the next
 * development version. Pushes nothing.
 * @returns the tag
 * @throws {ReleaseError} if the release must not be made, or if one of its commands fails; the tree is then as it was
 */
export const release = async (options: ReleaseOptions): Promise<string> => {
  const { folder, step, isDryRun = false, ci, generate, today } = options;
  const git = async (...args: string[]): Promise<string> =>
    (await execute('git', args, { cwd: folder })).stdout.trim();

  const run = async ([program, ...args]: Command, advice: string): Promise<void> => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = (await once(child, 'exit').catch((error: Error) => [error.message])) as [unknown];
    if (code !== 0) throw new ReleaseError(`${[program, ...args].join(' ')} failed: ${advice}`);
  };

  const assertClean = async (advice: string): Promise<void> => {
    const changed = await git('status', '--porcelain');
    if (changed !== '') throw new ReleaseError(`The tree is not clean: ${advice}\n${changed}`);
  };

  const branch = await git('branch', '--show-current');
  if (branch !== 'main')
    throw new ReleaseError(`Releases are made on main, not on "${branch}": run git switch main.`);
  await assertClean('commit these changes first.');

  const version = nextVersion(await readVersion(folder), step);
  const tag = `v${version}`;
  if ((await git('tag', '--list', tag)) !== '') {
    throw new ReleaseError(
      `The tag ${tag} exists: that version was released. Correct the version in package.json.`,
    );
  }
  const changelogFile = join(folder, 'CHANGELOG.md');
  const changelog = closeUnreleased(await readFile(changelogFile, 'utf8'), version, today);
  if (isDryRun) return tag;

  await run(ci, 'fix what it reports, then release.');
  await assertClean('CI wrote these files; commit them, then release.');

  const before = await git('rev-parse', 'HEAD');
  const commitVersion = async (to: string, message: string): Promise<void> => {
    await setVersions(folder, to);
    await run(generate, 'see above.');
    await git('commit', '--quiet', '--all', '--message', message);
  };
  try {
    await writeFile(changelogFile, changelog);
    await commitVersion(version, `chore(release): ${version}`);
    const next = developmentVersion(version);
    await commitVersion(next, `chore(release): begin ${next}`);
    await git('tag', '--annotate', '--message', `Roundhouse ${version}`, tag, 'HEAD~1');
  } catch (error) {
    // The tree was clean, so everything that differs is ours.
    await git('reset', '--quiet', '--hard', before);
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(`Nothing was released: ${(error as Error).message}`, { cause: error });
  }
  return tag;
};
