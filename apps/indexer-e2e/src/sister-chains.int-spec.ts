import { readFile } from 'node:fs/promises';
import { CoreApiStandIn, fixedAnswers } from '@roundhouse/testing';
import { GeneratedChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';

const BLOCKS = 420;

interface Configuration {
  readonly network: object;
  readonly milestones: readonly object[];
}

describe('a sister chain: 53 delegates, prefix 63, blocks each 8 s, and each 4 s from height 214 on', () => {
  let chain: GeneratedChain;
  let configuration: Configuration;
  let genesis: object;

  /** The path of a configuration of the same chain with further milestones. */
  const withMilestones = (...further: readonly object[]): Promise<string> => {
    const milestones = [...configuration.milestones, ...further];
    return chain.write('further.network.json', [JSON.stringify({ ...configuration, milestones })]);
  };

  beforeAll(async () => {
    chain = await GeneratedChain.generate(
      BLOCKS,
      '--active-delegates 53 --delegates 57 --accounts 60 --address-prefix 63 --block-time 8 --block-time-change 214:4',
    );
    configuration = JSON.parse(await readFile(chain.network, 'utf8')) as Configuration;
    genesis = JSON.parse((await chain.lines())[0]!) as object;
  });

  afterAll(() => chain.remove());

  it('is indexed to its end with all signatures verified, and the tables agree with the blocks', async () => {
    const index = await IndexUnderTest.synced({ ...chain.settings(), VERIFY: 'full' });
    expect(await index.height()).toBe(BLOCKS);
    expect(await index.command('verify')).toMatchObject({ code: 0 });
    const { rows } = await index.pool.query<{ addresses: string }>(
      "SELECT count(*) AS addresses FROM accounts WHERE address LIKE 'S%'",
    );
    expect(Number(rows[0]!.addresses)).toBeGreaterThan(100);
    const { stdout } = await index.command('status');
    expect(stdout).toMatch(/^round +8: 49 of 53 blocks forged$/m);
    await index.close();
  });

  it.each(['run', 'sync'])(
    'is refused by "%s" before its first block if its configuration has rules of Solar',
    async (command) => {
      const index = await IndexUnderTest.create('postgres', {
        ...chain.settings(),
        NETWORK: await withMilestones({ height: 300, dynamicReward: {}, donations: {} }),
      });
      const { code, stderr } = await index.command(command);
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
    const { code, stderr } = await index.command('run');
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

describe('a chain with one active delegate', () => {
  it('is indexed, rebuilt, undone to its genesis block and indexed again', async () => {
    const chain = await GeneratedChain.generate(
      40,
      '--active-delegates 1 --delegates 4 --accounts 50 --transactions-per-block 2',
    );
    const index = await IndexUnderTest.synced({ ...chain.settings(), VERIFY: 'full', HISTORY: 'full' });
    const digest = await index.digest();
    for (const command of ['rebuild --from-genesis', 'rollback --to 1 --yes', 'verify', 'sync', 'verify'])
      expect(await index.command(...command.split(' '))).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(digest);
    const { rows } = await index.pool.query(
      'SELECT min(round) AS round, min(first_height) AS height FROM rounds',
    );
    // Nobody could forge or miss round 1, which the genesis block fills.
    expect(rows).toEqual([{ round: 2, height: 2 }]);
    await index.close();
    await chain.remove();
  });
});
