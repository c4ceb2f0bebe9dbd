import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CoreApiStandIn, eventually, freePort, SeededRandom } from '@roundhouse/testing';
import { IndexUnderTest, queueBackends } from './index-under-test.js';
import { RECORDED_HEAD, recording } from './recording.js';

const SEED = 20_261_126;
const START = 200;

interface Posted {
  readonly event: string;
  readonly data: { readonly height: number; readonly id: string };
}

describe.each(queueBackends)('a receiver, with queues on %s', (backend) => {
  let node: CoreApiStandIn;
  let index: IndexUnderTest;
  let server: Server;
  let port: number;
  const posted: Posted[] = [];
  let isDown = false;

  beforeEach(async () => {
    posted.splice(0);
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (isDown) return void response.writeHead(503).end();
        posted.push(JSON.parse(Buffer.concat(chunks).toString()) as Posted);
        response.end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    node = await CoreApiStandIn.start('core-3.9');
    port = await freePort();
    index = await IndexUnderTest.create(backend, {
      ...recording('core-3.9'),
      BLOCK_SOURCE: node.url,
      APPLY_BATCH_BLOCKS: '3',
      CORE_WEBHOOKS_PORT: String(port),
      CORE_WEBHOOKS_TARGETS: 'any',
      CORE_WEBHOOKS_TIMEOUT: '20000',
    });
  });

  afterEach(async () => {
    await index.close();
    await node.close();
    server.closeAllConnections();
    server.close();
  });

  const register = async (event: string): Promise<void> => {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await fetch(`http://127.0.0.1:${port}/api/webhooks`, {
      method: 'POST',
      body: JSON.stringify({ event, target, conditions: [] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(201);
  };

  it(`gets every block in order, whatever is killed; only a post that a kill cut off comes twice (seed ${SEED})`, async () => {
    const random = SeededRandom.of(SEED);
    const whole = node.chain;
    node.chain = whole.slice(0, START);
    let process = index.run();
    await index.reach(START, process);
    await register('block.applied');
    let kills = 0;
    for (let height = START; height < RECORDED_HEAD; kills += 1) {
      isDown = kills === 1;
      height = Math.min(height + 1 + random.below(50), RECORDED_HEAD);
      node.chain = whole.slice(0, height);
      await index.reach(height, process);
      await wait(random.below(60));
      await process.kill('SIGKILL');
      process = index.run();
    }
    isDown = false;
    await eventually(
      'the last block is posted',
      () => posted.some(({ data }) => data.height === RECORDED_HEAD),
      120_000,
    );
    expect(kills).toBeGreaterThan(2);
    const heights = posted.map(({ data }) => data.height);
    const once = heights.filter((height, place) => height !== heights[place - 1]);
    expect(once).toEqual(Array.from({ length: RECORDED_HEAD - START }, (_, place) => START + 1 + place));
    // A kill repeats at most the one post that was under way.
    expect(heights.length - once.length).toBeLessThanOrEqual(kills);
  });
});
