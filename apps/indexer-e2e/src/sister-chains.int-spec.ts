import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppProcess, CoreApiStandIn, fixedAnswers } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';

const BLOCKS = 420;

interface Configuration {
  readonly network: object;
  readonly milestones: readonly object[];
}

describe('a sister chain: 53 delegates, prefix 63, blocks each 8 s, and each 4 s from height 214 on', () => {
  let folder: string;
  let archive: string;
  let network: string;
  let configuration: Configuration;
  let genesis: object;

  /** The path of a configuration of the same chain with further milestones. */
  const withMilestones = async (...further: readonly object[]): Promise<string> => {
    const path = join(folder, 'further.network.json');
    const milestones = [...configuration.milestones, ...further];
    await writeFile(path, JSON.stringify({ ...configuration, milestones }));
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-sister-'));
    archive = join(folder, 'chain.ndjson');
    network = join(folder, 'chain.network.json');
    const form = '--active-delegates 53 --delegates 57 --accounts 60 --address-prefix 63';
    const times = '--block-time 8 --block-time-change 214:4';
    const { code, stderr } = await new AppProcess(
      'devnet',
      `generate --blocks ${BLOCKS} --out ${archive} --network ${network} ${form} ${times}`.split(' '),
      {},
    ).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    configuration = JSON.parse(await readFile(network, 'utf8')) as Configuration;
    genesis = JSON.parse((await readFile(archive, 'utf8')).split('\n')[0]!) as object;
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is indexed to its end with all signatures verified, and the tables agree with the blocks', async () => {
    const index = await IndexUnderTest.create('postgres', {
      BLOCK_SOURCE: `file:${archive}`,
      NETWORK: network,
      VERIFY: 'full',
    });
    const synced = await indexer(['sync'], index.environment);
    expect(synced).toMatchObject({ code: 0, stdout: expect.stringContaining(`at block ${BLOCKS}`) });
    expect(await indexer(['verify'], index.environment)).toMatchObject({ code: 0 });
    const { rows } = await index.pool.query<{ addresses: string }>(
      "SELECT count(*) AS addresses FROM accounts WHERE address LIKE 'S%'",
    );
    expect(Number(rows[0]!.addresses)).toBeGreaterThan(100);
    const { stdout } = await indexer(['status'], index.environment);
    expect(stdout).toMatch(/^round +8: 49 of 53 blocks forged$/m);
    await index.close();
  });

  it.each(['run', 'sync'])(
    'is refused by "%s" before its first block if its configuration has rules of Solar',
    async (command) => {
      const index = await IndexUnderTest.create('postgres', {
        BLOCK_SOURCE: `file:${archive}`,
        NETWORK: await withMilestones({ height: 300, dynamicReward: {}, donations: {} }),
      });
      const { code, stderr } = await indexer([command], index.environment);
      expect(stderr).toMatch(
        /cannot be used: It has rules .*dynamicReward from height 300 .*, donations from height 300 .*"Sister chains"/,
      );
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(1);
      expect(await index.height()).toBe(0);
      await index.close();
    },
  );

  it('is refused before its first block if the node has votes by username', async () => {
    const node = await CoreApiStandIn.start('core-3.9');
    node.intercept = fixedAnswers({
      '/api/node/status': {},
      '/api/node/syncing': { height: 1, id: (genesis as { id: string }).id },
      '/api/node/configuration': { core: { version: '4.3.1' } },
      '/api/node/configuration/crypto': configuration,
      '/api/transactions/types': { '1': { LegacyVote: 3 }, '2': { Burn: 0, Vote: 2 } },
    });
    const index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: node.url });
    const { code, stderr } = await indexer(['run'], index.environment);
    expect(stderr).toMatch(
      /has types of transactions .*: LegacyVote \(type 3 of type group 1\), Burn .*, Vote /,
    );
    expect(code).toBe(1);
    expect(await index.height()).toBe(0);
    expect(node.requests.filter((path) => path.includes('/blocks'))).toEqual([]);
    await index.close();
    await node.close();
  });
});
