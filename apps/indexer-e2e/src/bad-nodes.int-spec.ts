import { readPosition } from '@roundhouse/storage';
import { TcpProxy } from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';

describe('an indexer with a node that misbehaves', () => {
  let devnet: DevnetProcess;
  let index: IndexUnderTest;
  let process: IndexerProcess;

  beforeAll(async () => {
    devnet = await DevnetProcess.start();
    index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: devnet.url, VERIFY: 'full' });
    process = index.run();
    await index.reach(120, process);
  });

  afterAll(async () => {
    await index.close();
    await devnet.stop();
  });

  const headId = async (): Promise<string | undefined> => (await readPosition(index.pool)).head?.id;

  /** Waits until the index has the devnet's own newest block; fails if the indexer ends before that. */
  const follow = async ({ height, id }: { readonly height: number; readonly id: string }): Promise<void> => {
    do await index.reach(height, process);
    while ((await headId()) !== id);
  };

  // The simulation tests the other kinds of misbehaviour, with the seeds of CI.
  it.each([
    ['is down', { kind: 'down', count: 10 }],
    ['answers 500', { kind: 'failing', status: 500, count: 10 }],
    ['asks for fewer requests', { kind: 'failing', status: 429, retryAfter: 1, count: 3 }],
    ['breaks off its answers', { kind: 'cut-off', count: 10 }],
    ['returns blocks in a wrong order', { kind: 'wrong-order', count: 2 }],
    ['returns a block with a wrong id', { kind: 'wrong-id', count: 2 }],
    ['is behind', { kind: 'behind', depth: 5, count: 10 }],
    ['goes backwards', { kind: 'backwards', depth: 9, count: 20 }],
  ])('continues after its node %s for a while', async (_, misbehaviour) => {
    await devnet.order('misbehave', misbehaviour);
    await follow(await devnet.order('forge', { count: 3 }));
  });

  it('counts the errors of its node by kind', async () => {
    const metrics = await (await fetch(`${process.operationsUrl}/metrics`)).text();
    for (const kind of ['unreachable', 'http-5xx', 'rate-limited', 'protocol']) {
      expect(metrics).toMatch(new RegExp(`^roundhouse_source_errors_total{kind="${kind}"} [1-9]`, 'm'));
    }
  });

  it('has the tables of an undisturbed index after all of this', async () => {
    const { height } = await devnet.order('pause');
    const straight = await IndexUnderTest.synced({ BLOCK_SOURCE: devnet.url });
    expect(await straight.height()).toBe(height);
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
  });

  it('switches to the second of two nodes when the first is gone, and logs it once', async () => {
    const [first, second] = [await TcpProxy.before(devnet.url), await TcpProxy.before(devnet.url)];
    const two = index.run({ BLOCK_SOURCE: [first.url, second.url].join(',') });
    await two.untilReady();
    await process.kill('SIGTERM');
    process = two;
    await first.cut();
    await follow(await devnet.order('forge', { count: 2 }));
    await two.says(/another source is used from now on/);
    await follow(await devnet.order('forge', { count: 2 }));
    const { stdout } = await two.kill('SIGTERM');
    expect(stdout.match(/another source is used from now on/g)).toHaveLength(1);
    await second.close();
  });
});
