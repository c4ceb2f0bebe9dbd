import { dirname, join } from 'node:path';

/** An entry of package-lock.json. */
export interface LockedPackage {
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
  for (let from = folder; ; from = dirname(from)) {
    const path = join(from, 'node_modules', name);
    const found = packages[path];
    if (found !== undefined) return found.link ? found.resolved! : path;
    if (from === '' || from === '.') {
      throw new Error(
        `package-lock.json lacks ${name}, which ${folder || 'the root'} needs: run npm install.`,
      );
    }
  }
};

/** The names that a package requires. npm installs required peers too. */
const requiredNames = ({ dependencies, peerDependencies, peerDependenciesMeta }: LockedPackage): string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
];

/**
 * The packages in `folders` and those that npm installs for them. Development and optional packages are left out.
 * @returns by folder, the folders of the packages that each requires
 */
export const installedPackages = (
  packages: LockedPackages,
  folders: readonly string[],
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (found.has(folder)) continue;
    const from = folder;
    const required = requiredNames(packages[from]!).map((name) => findPackage(packages, from, name));
    found.set(from, required);
    open.push(...required);
  }
  return found;
};
