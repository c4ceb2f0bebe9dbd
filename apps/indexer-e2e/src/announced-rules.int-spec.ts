import type { ServerResponse } from 'node:http';
import { eventually } from '@roundhouse/testing';
import { DevnetProcess } from './devnet-process.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer } from './indexer-process.js';
import { LocalServer } from './local-server.js';

interface Configuration {
  readonly data: { readonly milestones: readonly object[] };
}

/** The devnet's API, whose configuration has further milestones. */
class UpgradedNode extends LocalServer {
  further: readonly object[] = [];
  /** How many of the next answers are nonsense: the indexer then asks for the configuration again. */
  nonsense = 0;

  static before(devnetUrl: string): Promise<UpgradedNode> {
    const node = new UpgradedNode();
    node.server.on(
      'request',
      ({ url = '/' }, response) => void node.answer(new URL(url, devnetUrl), response),
    );
    return node.listen();
  }

  private async answer(url: URL, response: ServerResponse): Promise<void> {
    const answer = await fetch(url);
    let body = await answer.text();
    if (url.pathname.endsWith('/configuration/crypto')) {
      const { data } = JSON.parse(body) as Configuration;
      body = JSON.stringify({ data: { ...data, milestones: [...data.milestones, ...this.further] } });
    } else if (this.nonsense > 0) {
      this.nonsense -= 1;
      body = 'nonsense';
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  }
}

describe('an indexer whose node announces rules that it does not know', () => {
  let devnet: DevnetProcess;
  let node: UpgradedNode;
  let index: IndexUnderTest;

  beforeEach(async () => {
    devnet = await DevnetProcess.start();
    node = await UpgradedNode.before(devnet.url);
    index = await IndexUnderTest.create('postgres', { BLOCK_SOURCE: node.url });
  });

  afterEach(async () => {
    await index.close();
    await node.close();
    await devnet.stop();
  });

  it('goes on below them and warns, stops there, is refused at a start, and continues when they are gone', async () => {
    const { height } = await devnet.order('forge', { count: 1 });
    const running = index.run();
    await index.reach(height, running);
    const announced = async (): Promise<string | undefined> => {
      const metrics = await (await fetch(`${running.operationsUrl}/metrics`)).text();
      return /^roundhouse_unknown_rules_height (\d+)$/m.exec(metrics)?.[1];
    };
    expect(await announced()).toBeUndefined();

    const from = height + 10;
    node.further = [{ height: from, tax: 5 }];
    node.nonsense = 1;
    await devnet.order('forge', { count: 5 });
    await index.reach(height + 5, running);
    await eventually('the height is shown', async () => (await announced()) === String(from));
    await running.untilReady();

    await devnet.order('forge', { count: 20 });
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

    node.further = [];
    await index.reach(height + 25, running);
    await eventually('no height is shown', async () => (await announced()) === undefined);
    await running.untilReady();
    const { stdout } = await running.kill('SIGTERM');
    expect(stdout).toMatch(new RegExp(`"from":${from}.*announces unknown rules: indexing ends before them`));
  });
});
