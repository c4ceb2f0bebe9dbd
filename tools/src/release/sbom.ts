import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Enums, Models, Serialize, Spec, SPDX } from '@cyclonedx/cyclonedx-library';
import { inWorkspace } from '../generators/generated-files.js';
import { installedPackages, type LockedPackage, type LockedPackages } from './installed-packages.js';

/** The workspaces that the Dockerfile compiles. */
export const IMAGE_PROGRAMS = ['apps/api', 'apps/indexer', 'apps/devnet'];

const read = (path: string): Promise<string> => readFile(inWorkspace(path), 'utf8');

export const readLockedPackages = async (): Promise<LockedPackages> =>
  (JSON.parse(await read('package-lock.json')) as { packages: LockedPackages }).packages;

/** A project and all projects that the compiler builds for it. */
const builtProjects = async (folder: string): Promise<string[]> => {
  const { references } = JSON.parse(await read(join(folder, 'tsconfig.json'))) as {
    references: readonly { path: string }[];
  };
  const others = references.map(({ path }) => join(folder, path.endsWith('.json') ? dirname(path) : path));
  return [
    folder,
    ...(await Promise.all(others.filter((other) => other !== folder).map(builtProjects))).flat(),
  ];
};

const licenseOf = (license: string): Models.License =>
  SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license);

const componentOf = (folder: string, locked: LockedPackage): Models.Component => {
  const { version, license, integrity, name = folder.replace(/.*node_modules\//, '') } = locked;
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const component = new Models.Component(Enums.ComponentType.Library, rest, {
    ...(scope === undefined ? {} : { group: scope }),
    ...(version === undefined ? {} : { version }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    bomRef: `${name}@${version}`,
  });
  if (license !== undefined) component.licenses.add(licenseOf(license));
  if (integrity?.startsWith('sha512-')) {
    const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64');
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], digest.toString('hex'));
  }
  return component;
};

/**
 * What `folders` need at run time, as the lockfile states it.
 * @param main the one of `folders` that the SBOM describes; the others are part of it
 */
const describePackages = async (main: string, folders: readonly string[]): Promise<Models.Bom> => {
  const packages = await readLockedPackages();
  const installed = installedPackages(packages, folders);
  const byFolder = new Map<string, Models.Component>();
  // Copies of one version in several folders are one component.
  const byRef = new Map<string, Models.Component>();
  for (const folder of installed.keys()) {
    const component = componentOf(folder, packages[folder]!);
    const ref = component.bomRef.value!;
    byRef.set(ref, byRef.get(ref) ?? component);
    byFolder.set(folder, byRef.get(ref)!);
  }
  for (const [folder, required] of installed) {
    for (const other of required) byFolder.get(folder)!.dependencies.add(byFolder.get(other)!.bomRef);
  }
  const component = byFolder.get(main)!;
  for (const folder of folders) if (folder !== main) component.dependencies.add(byFolder.get(folder)!.bomRef);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) });
  for (const other of byRef.values()) if (other !== component) bom.components.add(other);
  return bom;
};

const serialize = (bom: Models.Bom): string =>
  `${new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 2,
  })}\n`;

/** What is in the package `@roundhouse/client` and what npm installs with it, as CycloneDX 1.6 JSON. */
export const clientSbom = async (): Promise<string> =>
  serialize(await describePackages('libs/client', ['libs/client']));

/**
 * What is in the image, as CycloneDX 1.6 JSON: our compiled packages, npm's packages, and the base image as one
 * component. The same sources give the same text.
 */
export const imageSbom = async (): Promise<string> => {
  const built = (await Promise.all(IMAGE_PROGRAMS.map(builtProjects))).flat();
  const bom = await describePackages('', ['', ...new Set(built)]);
  const image = bom.metadata.component!;
  image.type = Enums.ComponentType.Container;
  const from = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].at(-1)![1]!;
  const [name, version] = from.split(':');
  const base = new Models.Component(Enums.ComponentType.Container, basename(name!), {
    version: version!,
    purl: `pkg:docker/${name}@${version}`,
    bomRef: from,
  });
  bom.components.add(base);
  image.dependencies.add(base.bomRef);
  return serialize(bom);
};
