import { CoreApiStandIn, eventually, recordedConfiguration } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';

describe('an indexer whose node announces rules that it does not know', () => {
  let node: CoreApiStandIn;
  let index: IndexUnderTest;
  /** The milestones that the node adds to those of its chain. */
  let further: readonly object[] = [];
  /** How many of the next answers are nonsense: the indexer then asks for the configuration again. */
  let nonsense = 0;
  /** The node has the first blocks of its chain, up to this height. */
  let upTo: (height: number) => void;

  beforeEach(async () => {
    node = await CoreApiStandIn.start('core-3.9');
    const { chain } = node;
    upTo = (height) => (node.chain = chain.slice(0, height));
    const configuration = recordedConfiguration('core-3.9');
    node.intercept = ({ path }) => {
      if (path.endsWith('/configuration/crypto')) {
        const milestones = [...configuration.milestones, ...further];
        return { body: JSON.stringify({ data: { ...configuration, milestones } }) };
      }
      return nonsense-- > 0 ? { body: 'nonsense' } : undefined;
    };
    index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: node.url });
  });

  afterEach(async () => {
    await index.close();
    await node.close();
  });

  it('goes on below them and warns, stops there, is refused at a start, and continues when they are gone', async () => {
    const height = 121;
    upTo(height);
    const running = index.run();
    await index.reach(height, running);
    const announced = async (): Promise<string | undefined> => {
      const metrics = await (await fetch(`${running.operationsUrl}/metrics`)).text();
      return /^roundhouse_unknown_rules_height (\d+)$/m.exec(metrics)?.[1];
    };
    expect(await announced()).toBeUndefined();

    const from = height + 10;
    further = [{ height: from, tax: 5 }];
    nonsense = 1;
    upTo(height + 5);
    await index.reach(height + 5, running);
    await eventually('the height is shown', async () => (await announced()) === String(from));
    await running.untilReady();

    upTo(height + 25);
    await index.reach(from - 1, running);
    await running.untilUnready();
    await eventually('status names the reason', async () => {
      const { stdout } = await indexer(['status'], index.environment);
      return stdout.includes(`tax from height ${from}`);
    });
    expect(await index.height()).toBe(from - 1);
    expect(await indexer(['run'], index.environment)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`tax from height ${from}`),
    });

    further = [];
    await index.reach(height + 25, running);
    await eventually('no height is shown', async () => (await announced()) === undefined);
    await running.untilReady();
    const { stdout } = await running.kill('SIGTERM');
    expect(stdout).toMatch(new RegExp(`"from":${from}.*announces unknown rules: indexing ends before them`));
  });
});
