import { dirname, join } from 'node:path';

/** An entry of package-lock.json. */
export interface LockedPackage {
  /** Of a workspace or the root. */
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  /** As in `integrity` attributes: an algorithm, "-", a digest in Base64. */
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By folder; the root's is ''. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** The folder of the package that an import of `name` finds from `folder`; a workspace's own folder. */
const findPackage = (packages: LockedPackages, folder: string, name: string): string => {
  const path = join(folder, 'node_modules', name);
  const found = packages[path];
  if (found !== undefined) return found.link ? found.resolved! : path;
  if (folder !== '.') return findPackage(packages, dirname(folder), name);
  throw new Error(`package-lock.json lacks ${name}, which a package needs: run npm install.`);
};

/**
 * The packages in `folders` and those that npm installs for them, required peers too. Development and optional packages
 * are left out.
 * @returns by folder, the folders of the packages that each requires
 */
export const installedPackages = (
  packages: LockedPackages,
  folders: readonly string[],
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  const add = (folder: string): void => {
    if (found.has(folder)) return;
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[folder]!;
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    const required = [...Object.keys(dependencies), ...peers].map((name) =>
      findPackage(packages, folder, name),
    );
    found.set(folder, required);
    required.forEach(add);
  };
  folders.forEach(add);
  return found;
};
