import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

interface Package {
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly link?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, Package>> };

it('lets secp256k1 compile nothing when it is installed', () => {
  const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  // Its script compiles a binary where the package has none. After `npm install`, delete `hasInstallScript` from its entry.
  expect(scripts.map(([path]) => path)).not.toContain('node_modules/secp256k1');
});

it('names no registry', () => {
  const named = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(named).toEqual([]);
});
