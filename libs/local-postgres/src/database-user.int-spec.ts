import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FIXTURE = `
import { statSync } from 'node:fs';
import { startLocalPostgres } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
const postgres = await startLocalPostgres({ directory: process.argv[1] });
console.log(statSync(postgres.directory + '/cluster/data').uid);
await postgres.stop();
`;

describe('on a machine without a user postgres', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'database-user-'));
    chmodSync(folder, 0o755);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const program = (name: string, line: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });

  const ownerOfNewCluster = (): number => {
    const hooks = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
    const options = ['--conditions=@roundhouse/source', '--import', hooks, '--input-type=module'];
    const answer = execFileSync(process.execPath, [...options, '-e', FIXTURE, join(folder, 'database')], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    return Number(answer);
  };

  it('a server started by root runs as nobody, otherwise as the user who starts it, and no user is created', () => {
    const me = process.getuid!();
    const made = join(folder, 'made');
    program('id', '[ "$2" = postgres ] && exit 1; exec /usr/bin/id "$@"');
    program('useradd', `echo "$@" > '${made}'`);
    expect(ownerOfNewCluster()).toBe(me === 0 ? 65_534 : me);
    expect(existsSync(made)).toBe(false);
  });
});
