import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from './commands.js';

const ENTRYPOINT = fileURLToPath(new URL('../../../../tools/docker/entrypoint.sh', import.meta.url));

describe("the container's entry point", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-entrypoint-'));
    const node = join(folder, 'node');
    writeFileSync(node, '#!/bin/sh\necho "$@"\n');
    chmodSync(node, 0o755);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const started = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [ENTRYPOINT, ...args], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it.each([...commands.map(({ name }) => name), 'completion', '--help', '--version'])(
    'passes %s to the indexer',
    (name) => {
      expect(started(name, '--json')).toEqual({
        status: 0,
        output: `/app/apps/indexer/dist/main.js ${name} --json\n`,
      });
    },
  );

  it.each(['api', 'indexer', 'devnet'])('starts the program %s', (name) => {
    expect(started(name, 'run')).toEqual({ status: 0, output: `/app/apps/${name}/dist/main.js run\n` });
  });

  it.each(['', 'apii', 'check-sources'])('refuses "%s"', (name) => {
    const { status, output } = started(name);
    expect(status).toBe(1);
    expect(output).toContain(
      `There is no command "${name}": use api, indexer, devnet, or a command of the indexer`,
    );
  });
});
