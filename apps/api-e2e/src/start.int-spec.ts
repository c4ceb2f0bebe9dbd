import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { startApi, startApiAt } from './support/api-under-test.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('a start that cannot succeed', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it.each(['PORT', 'OPS_PORT'] as const)('says in one sentence that %s is in use', async (setting) => {
    const used = setting === 'PORT' ? served.api.url : served.api.operationsUrl;
    const { port } = new URL(used);
    await expect(startApi(served.databaseUrl, { [setting]: port })).rejects.toMatchObject({
      code: 'OPERATOR',
      message: `${setting} ${port} is in use on 127.0.0.1: stop the other program or set another ${setting}.`,
    });
  });

  it('says in one sentence that the database cannot be reached, and names neither user nor password', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.on('listening', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const error = await startApiAt(`postgres://me:secret@127.0.0.1:${port}/index`).catch(
      (reason: Error) => reason,
    );
    expect((error as Error).message).toMatch(
      new RegExp(
        `^The database at 127.0.0.1:${port}/index cannot be reached .*: start it, or correct DATABASE_URL`,
      ),
    );
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('a stop', () => {
  it('is not delayed by a client that does not read', async () => {
    const served = await serveChain();
    const { hostname, port } = new URL(served.api.url);
    const client = connect(Number(port), hostname);
    client.on('error', () => undefined);
    // More than all buffers on the way can hold.
    client.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(20));
    await once(client, 'data');
    client.pause();
    await served.stop();
    client.destroy();
  });
});
