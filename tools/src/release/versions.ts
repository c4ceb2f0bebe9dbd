import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReleaseError } from './release.error.js';

const STEPS = ['major', 'minor', 'patch'] as const;

/** Which of the three numbers of a version a release increases. */
export type Step = (typeof STEPS)[number];

export const isStep = (text: string | undefined): text is Step => STEPS.some((step) => step === text);

/** These files name the image's version. `npm run generate` then updates what is generated from them. */
export const FILES_WITH_VERSION = [
  'tools/src/generators/compose.config.ts',
  'tools/src/kubernetes/kubernetes.spec.ts',
  'deploy/kubernetes/overlays/production/kustomization.yaml',
  'docker-compose.yml',
];

const LINE_WITH_VERSION = /^.*(?:ROUNDHOUSE_VERSION|newTag:|roundhouse:).*$/gm;

interface Lockfile {
  version: string;
  readonly packages: Record<string, { version?: string; link?: boolean; resolved?: string }>;
}

/** @throws {ReleaseError} unless the version consists of three numbers */
export const nextVersion = (version: string, step: Step): string => {
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) {
    throw new ReleaseError(`package.json has the version ${version}: set it to three numbers first.`);
  }
  const place = STEPS.indexOf(step);
  return numbers
    .map((number, index) => (index < place ? number : index === place ? number + 1 : 0))
    .join('.');
};

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

// As npm writes them.
const writeJson = (path: string, content: object): Promise<void> =>
  writeFile(path, `${JSON.stringify(content, null, 2)}\n`);

export const readVersion = async (folder: string): Promise<string> =>
  (await readJson<{ version: string }>(join(folder, 'package.json'))).version;

/** The workspaces' folders, as the lockfile lists them. */
export const findWorkspaces = async (folder: string): Promise<string[]> => {
  const { packages } = await readJson<Lockfile>(join(folder, 'package-lock.json'));
  return Object.values(packages).flatMap(({ link, resolved }) => (link ? [resolved!] : []));
};

const replaceVersion = async (path: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path, 'utf8');
  const replaced = text.replace(LINE_WITH_VERSION, (line) => line.replaceAll(from, to));
  if (replaced === text) {
    throw new ReleaseError(`${path} does not name version ${from}: correct it, or the list in versions.ts.`);
  }
  await writeFile(path, replaced);
};

/** Sets the version of the root, of all workspaces, in the lockfile and in {@link FILES_WITH_VERSION}. */
export const setVersions = async (folder: string, to: string): Promise<void> => {
  const from = await readVersion(folder);
  const packages = ['', ...(await findWorkspaces(folder))];
  for (const path of packages) {
    const file = join(folder, path, 'package.json');
    await writeJson(file, { ...(await readJson<object>(file)), version: to });
  }
  const lockFile = join(folder, 'package-lock.json');
  const lock = await readJson<Lockfile>(lockFile);
  lock.version = to;
  for (const path of packages) lock.packages[path]!.version = to;
  await writeJson(lockFile, lock);
  for (const path of FILES_WITH_VERSION) await replaceVersion(join(folder, path), from, to);
};
