import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEmptyDatabase, eventually, freePorts, type TestDatabase } from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { GeneratedChain } from './generated-chain.js';
import { IndexerProcess } from './indexer-process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LAST = 110;

/** The image has these commands. */
const COMMANDS = ['indexer', 'api']
  .map((name) => `${name}() { node '${ROOT}apps/${name}/dist/main.js' "$@"; }`)
  .join('\n');

interface NodeBlock {
  readonly data: { readonly id: string };
}

describe('the commands that preserve a chain', () => {
  let devnet: DevnetProcess;
  let databases: TestDatabase[];
  let folder: GeneratedChain;
  let commands: string[];
  let environment: NodeJS.ProcessEnv;
  let lastId: string;

  /** Runs lines in bash as an operator would. */
  const run = async (lines: readonly string[]): Promise<string> => {
    const script = ['set -euo pipefail', COMMANDS, ...lines].join('\n');
    const options = { cwd: folder.file('.'), env: environment, maxBuffer: 1 << 24 };
    return (await promisify(execFile)('bash', ['--norc', '-c', script], options)).stdout;
  };

  beforeAll(async () => {
    const page = await readFile(`${ROOT}docs/runbook/preserve.md`, 'utf8');
    commands = /```sh\n([^]*?)```/
      .exec(page)![1]!
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    devnet = await DevnetProcess.start();
    folder = await GeneratedChain.generate(1);
    databases = [await createEmptyDatabase(), await createEmptyDatabase()];
    const block = (await (await fetch(`${devnet.url}/api/blocks/${LAST}`)).json()) as NodeBlock;
    lastId = block.data.id;
    environment = {
      PATH: process.env['PATH'],
      NODE: devnet.url,
      LAST: String(LAST),
      LAST_ID: lastId,
      OWNER_URL: databases[0]!.url,
      ARCHIVE_URL: databases[1]!.url,
    };
  });

  afterAll(async () => {
    await devnet.stop();
    await Promise.all(databases.map((database) => database.drop()));
    await folder.remove();
  });

  it('are ten, lead from a living node to an archive that serves without one, and need no node afterwards', async () => {
    const [settings, ...ten] = commands;
    expect(ten).toHaveLength(10);
    const printed = await run([settings!, ...ten.slice(0, -1)]);
    expect(printed).toContain(`It goes on past FINAL_HEIGHT=${LAST}: its blocks above are left out.`);
    expect(printed).toContain(
      `The chain ended at block ${LAST} (${lastId}): the index is complete and proven`,
    );
    expect(await run(['sha256sum -c SHA256SUMS'])).toMatch(/chain\.snapshot\.tar: OK/);
    await devnet.stop();

    const [port, ops, indexerOps] = await freePorts(3);
    environment = { ...environment, PORT: String(port), OPS_PORT: String(ops) };
    const api: ChildProcess = spawn(
      'bash',
      ['-c', `${COMMANDS}\n${ten.at(-1)!.replace(' api', ' exec node ${API}')}`],
      {
        env: { ...environment, API: `${ROOT}apps/api/dist/main.js` },
        stdio: 'ignore',
      },
    );
    try {
      const url = `http://127.0.0.1:${port}`;
      const get = async (path: string) => (await fetch(`${url}${path}`)).json();
      await eventually('the api is ready', async () =>
        fetch(`http://127.0.0.1:${ops}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const { delegates } = (await get('/api/delegates?limit=1')) as { delegates: { address: string }[] };
      const proof = await fetch(`${url}/api/accounts/${delegates[0]!.address}/proof?height=${LAST}`);
      expect(await proof.text()).toContain((await run(['cat chain.certificate.json'])).trim());
      expect(await get('/api/loader/status')).toMatchObject({ loaded: true, now: LAST, blocksCount: 0 });
      expect(await get('/status.json')).toMatchObject({
        ended: { height: LAST, id: lastId, provenAt: expect.stringMatching(/Z$/) },
      });
    } finally {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }

    // The first index, too, needs no node any more.
    const frozen = { DATABASE_URL: databases[0]!.url };
    const indexer = new IndexerProcess(['run'], { ...frozen, OPS_PORT: String(indexerOps) });
    await indexer.untilReady();
    const status = await run([`DATABASE_URL=$OWNER_URL indexer status`]);
    expect(status).toMatch(/^end +the chain ended at 110: complete and proven, no source is needed$/m);
    const { code, stderr } = await indexer.kill('SIGTERM');
    expect([code, stderr]).toEqual([0, '']);
  });
});
