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

/** The lines in them that do. */
const LINE_WITH_VERSION = /^.*(?:ROUNDHOUSE_VERSION|newTag:|roundhouse:).*$/gm;

/** The name and the version of one of our packages, in its manifest or in the lockfile. */
const OWN_VERSION = /"name": "(?:@roundhouse\/[\w-]+|roundhouse)",\s+"version": "[\d.]+(?:-dev)?"/g;

/**
 * The version that a release gets. `0.2.0-dev` is what becomes 0.2.0, so a step that 0.2.0 is enough for does not increase it.
 * @throws {ReleaseError} unless the version consists of three numbers, and `-dev` if it is no release
 */
export const nextVersion = (version: string, step: Step): string => {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)(-dev)?$/.exec(version) ?? [];
  if (parts.length === 0) {
    throw new ReleaseError(
      `package.json has the version ${version}: set it to three numbers first, or three numbers and -dev.`,
    );
  }
  const numbers = parts.slice(0, 3).map(Number);
  const place = STEPS.indexOf(step);
  const isEnough = numbers.slice(place + 1).every((number) => number === 0);
  if (parts[3] === '-dev' && isEnough) return numbers.join('.');
  return numbers
    .map((number, index) => (index < place ? number : index === place ? number + 1 : 0))
    .join('.');
};

/** The version of main after a release: it is no longer what was released. */
export const developmentVersion = (released: string): string => `${nextVersion(released, 'patch')}-dev`;

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

export const readVersion = async (folder: string): Promise<string> =>
  (await readJson<{ version: string }>(join(folder, 'package.json'))).version;

/** The workspaces' folders, as the lockfile lists them. */
export const findWorkspaces = async (folder: string): Promise<string[]> => {
  const { packages } = await readJson<{ packages: Record<string, { link?: boolean; resolved?: string }> }>(
    join(folder, 'package-lock.json'),
  );
  return Object.values(packages).flatMap(({ link, resolved }) => (link ? [resolved!] : []));
};

/** Sets the version of the root, of all workspaces, in the lockfile and in {@link FILES_WITH_VERSION}. */
export const setVersions = async (folder: string, to: string): Promise<void> => {
  const from = await readVersion(folder);
  const replaceIn = async (file: string, places: RegExp): Promise<void> => {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    const replaced = text.replace(places, (place) => place.replaceAll(from, to));
    if (replaced === text) {
      throw new ReleaseError(
        `${path} does not name version ${from}: correct it, or the list in versions.ts.`,
      );
    }
    await writeFile(path, replaced);
  };
  const manifests = ['', ...(await findWorkspaces(folder))].map((path) => join(path, 'package.json'));
  for (const file of [...manifests, 'package-lock.json']) await replaceIn(file, OWN_VERSION);
  for (const file of FILES_WITH_VERSION) await replaceIn(file, LINE_WITH_VERSION);
};
