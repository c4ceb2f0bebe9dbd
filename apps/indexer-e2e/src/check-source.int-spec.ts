import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CoreApiStandIn,
  createEmptyDatabase,
  eventually,
  fixedAnswers,
  loadCoreDatabase,
} from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { indexer } from './indexer-process.js';
import { oddChain, RECORDED_HEAD, recording } from './recording.js';

interface Report {
  readonly [field: string]: unknown;
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

/** The exit code and the reports of `check-source --json`. */
const check = async (
  environment: Readonly<Record<string, string>>,
): Promise<{
  readonly code: number | null;
  readonly reports: readonly Report[];
  readonly stderr: string;
}> => {
  const { code, stdout, stderr } = await indexer(['check-source', '--json'], environment);
  const { usable, sources } = JSON.parse(stdout) as { usable: boolean; sources: Report[] };
  expect(usable).toBe(code === 0);
  return { code, reports: sources, stderr };
};

/** The same for a node that gives these answers, and its requests. */
const checkNode = async (...answers: Parameters<typeof fixedAnswers>) => {
  const node = await CoreApiStandIn.start('core-3.9');
  node.intercept = fixedAnswers(...answers);
  const checked = await check({ BLOCK_SOURCE: node.url });
  await node.close();
  return { ...checked, requests: node.requests };
};

describe('indexer check-source', () => {
  let devnet: DevnetProcess;

  beforeAll(async () => {
    devnet = await DevnetProcess.start();
  });

  afterAll(() => devnet.stop());

  it("reports what a node's API shows, for people and for programs, without a database", async () => {
    const { code, reports } = await check({ BLOCK_SOURCE: devnet.url });
    expect(code).toBe(0);
    expect(reports).toEqual([
      expect.objectContaining({
        source: devnet.url,
        kind: 'api',
        line: 'Core 3.x',
        version: '3.9.1',
        network: expect.objectContaining({ name: 'roundhouse', activeDelegates: 51, blockSeconds: 2 }),
        height: expect.any(Number),
        sample: expect.objectContaining({ blocks: expect.any(Number), lowestHeight: 1 }),
        rateLimit: null,
        signaturesBy: expect.stringMatching(/^libsecp256k1/),
        clockAheadSeconds: 0,
        problems: [],
        remarks: [
          expect.stringContaining('of Foreign (type 7 of type group 1001) are indexed as unknown types'),
        ],
      }),
    ]);
    const { height, genesisTransactions, sample } = reports[0] as unknown as {
      height: number;
      genesisTransactions: number;
      sample: { blocks: number; requests: number; highestHeight: number };
    };
    expect(height).toBeGreaterThanOrEqual(120);
    expect(genesisTransactions).toBeGreaterThan(100);
    expect(sample.highestHeight).toBe(height);
    expect(sample.blocks).toBe(4 * Math.floor(height / 4));
    expect(sample.requests).toBeGreaterThan(4);
    const { stdout } = await indexer(['check-source'], { BLOCK_SOURCE: devnet.url });
    expect(stdout).toMatch(/^kind +a node's public API, Core 3\.x, version 3\.9\.1$/m);
    expect(stdout).toMatch(/^rate limit +none shown$/m);
    expect(stdout).toMatch(
      /^tried +the first 52 blocks in a ledger, \d+ changes? of rules, 4 places in between, /m,
    );
    expect(stdout).toMatch(/^usable +yes$/m);
  });

  it('reports the rate limit, the other clock, and a node that is behind', async () => {
    const renewed = new Date(Date.now() + 3_600_000 + 40_000).toUTCString();
    const { code, reports } = await checkNode(
      {
        '/api/node/status': {},
        '/api/node/syncing': { height: 9, id: '7', blocks: 800 },
        '/api/node/configuration': {},
        '/api/transactions/types': { '1': { Transfer: 0 }, '4242': { Morpheus: 1 } },
      },
      {
        'x-ratelimit-limit': '300',
        'x-ratelimit-remaining': '299',
        'x-ratelimit-reset': renewed,
        date: new Date(Date.now() + 3_600_000).toUTCString(),
      },
    );
    const [report] = reports;
    expect(report).toMatchObject({ rateLimit: { requests: 300, periodSeconds: 60 }, version: null });
    expect(report!['clockAheadSeconds']).toBeGreaterThan(3_500);
    expect(report!.remarks.join('\n')).toMatch(
      /800 blocks behind[^]*Morpheus \(type 1 of type group 4242\)[^]*clock differs/,
    );
    // It does not report its network.
    expect(report!.problems).toEqual([expect.stringContaining('set NETWORK to')]);
    expect(code).toBe(1);
  });

  it('waits when the node asks for it, and says so', async () => {
    const { requests } = await devnet.order('misbehave', { kind: 'failing', status: 429, retryAfter: 3 });
    const checking = check({ BLOCK_SOURCE: devnet.url });
    await eventually('it has asked', async () => (await devnet.order('pause')).requests > requests);
    await devnet.order('behave');
    const { code, stderr } = await checking;
    expect(stderr).toMatch(/grants this address no more requests .*: waiting \d s\./);
    expect(code).toBe(0);
  });

  it('names everything by which a chain cannot be indexed, and its line', async () => {
    const { code, reports, requests } = await checkNode({
      '/api/node/status': {},
      '/api/node/syncing': { height: 9, id: '7' },
      '/api/node/configuration': { core: { version: '4.3.1' } },
      '/api/node/configuration/crypto': {
        network: { name: 'mainnet' },
        milestones: [
          { height: 1, blockTime: 8, burn: {} },
          { height: 151_210, dynamicReward: {} },
        ],
      },
      '/api/transactions/types': { '2': { Burn: 0, Vote: 2 } },
    });
    expect(reports).toEqual([expect.objectContaining({ line: 'Solar', version: '4.3.1', height: null })]);
    expect(reports[0]!.problems).toEqual([
      expect.stringMatching(/blockTime .*burn .*dynamicReward from height 151210/),
      expect.stringMatching(/Burn \(type 0 of type group 2\), Vote \(type 2 of type group 2\)/),
    ]);
    expect(requests.filter((path) => path.includes('/blocks'))).toEqual([]);
    expect(code).toBe(1);
  });

  it('reports each of several sources: an archive, a database of another chain, and a node that is away', async () => {
    const { BLOCK_SOURCE, NETWORK } = recording('core-3.9');
    const database = await createEmptyDatabase();
    await loadCoreDatabase(database.url, 'core-3.9');
    const away = 'http://127.0.0.1:1';
    const sources = [BLOCK_SOURCE, database.url, away].join(',');
    const { code, reports } = await check({ BLOCK_SOURCE: sources, NETWORK });
    expect(reports).toEqual([
      expect.objectContaining({
        kind: 'archive',
        height: RECORDED_HEAD,
        genesisTransactions: 153,
        problems: [],
      }),
      expect.objectContaining({
        kind: 'database',
        line: 'Core 2.6 to 3.x',
        height: RECORDED_HEAD,
        problems: [],
      }),
      expect.objectContaining({ kind: 'api', problems: [expect.stringContaining('ECONNREFUSED')] }),
    ]);
    expect(code).toBe(1);
    const other = await check({ BLOCK_SOURCE: database.url, NETWORK: 'mainnet' });
    expect(other.reports[0]!.problems).toEqual([expect.stringContaining('holds another chain')]);
    await database.drop();
  });

  // libs/source/src/probe/probe-sources.spec.ts says so of the recorded chains.
  it.each([
    ['reward-from-height-1', oddChain('reward-from-height-1')],
    ['members-of-core-2.3', oddChain('members-of-core-2.3')],
  ])('says that %s can be used: its first blocks can be applied', async (_name, settings) => {
    const { code, reports } = await check(settings);
    expect(reports[0]!.problems).toEqual([]);
    expect(code).toBe(0);
  });

  it('ends with 1 if a block of the first round cannot be applied: NETWORK has another block time', async () => {
    const { BLOCK_SOURCE, NETWORK } = recording('core-3.9');
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-rules-'));
    const path = join(folder, 'network.json');
    await writeFile(path, (await readFile(NETWORK, 'utf8')).replaceAll('"blocktime": 2', '"blocktime": 3'));
    const { code, reports } = await check({ BLOCK_SOURCE, NETWORK: path });
    await rm(folder, { recursive: true });
    expect(reports[0]!.problems).toEqual([
      expect.stringMatching(/^Block \d+ from .* cannot be applied: its generator/),
    ]);
    expect(code).toBe(1);
  });

  it('says what to do if BLOCK_SOURCE is not set or cannot be used', async () => {
    const missing = await indexer(['check-source'], {});
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^.*BLOCK_SOURCE: it must be set/s),
    });
    const wrong = await indexer(['check-source'], { BLOCK_SOURCE: 'ftp://x' });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used with "ftp:"') });
  });
});
