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
    writeFileSync(node, '#!/bin/sh\necho "$@"\necho "$NODE_OPTIONS" >&2\n');
    chmodSync(node, 0o755);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const started = (args: readonly string[], environment = {}) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [ENTRYPOINT, ...args], {
      env: { PATH: folder, ...environment },
      encoding: 'utf8',
    });
    return { status, output: stdout, errors: stderr.trim() };
  };

  it.each([...commands.map(({ name }) => name), 'completion', '--help', '--version'])(
    'passes %s to the indexer',
    (name) => {
      expect(started([name, '--json'])).toEqual({
        status: 0,
        errors: '',
        output: `/app/apps/indexer/dist/main.js ${name} --json\n`,
      });
    },
  );

  it.each(['api', 'indexer', 'devnet'])('starts the program %s', (name) => {
    expect(started([name, 'run'])).toMatchObject({
      status: 0,
      output: `/app/apps/${name}/dist/main.js run\n`,
    });
  });

  it("limits V8's memory of the api, unless NODE_OPTIONS says otherwise", () => {
    const limits = expect.stringMatching(/^--max-old-space-size=\d+ --max-semi-space-size=\d+$/);
    expect(started(['api']).errors).toEqual(limits);
    // V8 takes the last one.
    const NODE_OPTIONS = '--max-old-space-size=900';
    expect(started(['api'], { NODE_OPTIONS }).errors).toMatch(
      /^--max-old-space-size=1.* --max-old-space-size=900$/,
    );
    expect(started(['indexer'], { NODE_OPTIONS }).errors).toBe(NODE_OPTIONS);
  });

  it.each(['', 'apii', 'check-sources'])('refuses "%s"', (name) => {
    const { status, errors } = started([name]);
    expect(status).toBe(1);
    expect(errors).toContain(
      `There is no command "${name}": use api, indexer, devnet, or a command of the indexer`,
    );
  });
});
