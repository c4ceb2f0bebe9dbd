import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';

interface Package {
  readonly engines?: { readonly node?: string };
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

const require = createRequire(import.meta.url);
/** It has no types. */
const semver = require('semver') as {
  satisfies(version: string, range: string): boolean;
};

// README promises the first; of 22 and 24, the newest at the time of writing.
it.each(['20.20.0', '22.21.0', '24.11.0'])('has only packages that run on Node %s', (version) => {
  const others = Object.entries(packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !semver.satisfies(version, engines.node),
  );
  expect(others.map(([path, { engines }]) => [path, engines!.node])).toEqual([]);
});

it('names no registry', () => {
  const named = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(named).toEqual([]);
});
