import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { AppProcess, freePort } from '@roundhouse/testing';
import { DevnetError } from '../devnet.error.js';
import { makeFolder } from '../devnet.harness.js';
import { startDevnet, type RunningDevnet, type RunSettings } from './run.js';

interface Blockchain {
  readonly data: { readonly block: { readonly height: number; readonly id: string } };
}

const headOf = async ({ url }: RunningDevnet): Promise<Blockchain['data']['block']> => {
  const response = await fetch(`${url}/api/blockchain`);
  return ((await response.json()) as Blockchain).data.block;
};

/** Polls until the head is at `height` or above. */
const waitForHeight = async (devnet: RunningDevnet, height: number): Promise<void> => {
  while ((await headOf(devnet)).height < height) await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('startDevnet', () => {
  const folder = makeFolder();
  const settings: RunSettings = {
    DEVNET_SEED: 'run',
    // Any free port.
    DEVNET_PORT: 0,
    HOST: '127.0.0.1',
    DATA_DIR: folder.path,
    DEVNET_HISTORY: 5,
    DEVNET_BLOCK_TIME: 1,
    DEVNET_MISS_RATE: 0,
    DEVNET_CONTROL: false,
    DEVNET_WEBHOOK_URL: undefined,
    DEVNET_WEBHOOK_TOKEN: '0'.repeat(64),
    LOG_LEVEL: 'silent',
  };

  afterAll(() => folder.remove());

  it('serves its history at once, forges by the clock, and continues at the next start', async () => {
    const first = await startDevnet(settings);
    expect((await headOf(first)).height).toBeGreaterThanOrEqual(5);
    await waitForHeight(first, 7);
    await first.stop();

    const second = await startDevnet(settings);
    const head = await headOf(second);
    expect(head.height).toBeGreaterThanOrEqual(7);
    await waitForHeight(second, head.height + 1);
    await second.stop();
    await expect(headOf(second)).rejects.toThrow('fetch failed');
  });

  it('logs in the form of the other programs, and names a misspelt variable', async () => {
    const port = await freePort();
    const program = new AppProcess('devnet', ['run'], {
      DATA_DIR: folder.path,
      DEVNET_SEED: 'run',
      DEVNET_PORT: String(port),
      LOG_LEVEL: 'debug',
      DEVNET_BLOCK_TIME: '1',
      DEVNET_MISSRATE: '0.5',
    });
    await program.answers(`http://127.0.0.1:${port}/api/node/status`);
    const { code, stdout, stderr } = await program.kill('SIGTERM');
    expect([code, stderr]).toEqual([
      0,
      'DEVNET_MISSRATE is no setting and has no effect: DEVNET_MISS_RATE is one.\n',
    ]);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines)
      expect(line).toMatch(/^\{"level":\d+,"time":"[-\d]+T[:.\d]+Z",.*"msg":"[^"]+"\}$/);
    expect(lines.at(-1)).toContain('"msg":"the devnet has stopped"');
  });

  describe('if another program uses the port', () => {
    let server: Server;

    beforeEach(async () => {
      server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
    });

    afterEach(async () => {
      server.close();
      await once(server, 'close');
    });

    it('says so and what to do', async () => {
      const { port } = server.address() as AddressInfo;
      const start = startDevnet({ ...settings, DEVNET_PORT: port });
      await expect(start).rejects.toThrow(DevnetError);
      await expect(start).rejects.toThrow(
        `Port ${port} on 127.0.0.1 is in use: stop the program that listens there, or set DEVNET_PORT.`,
      );
    });
  });

  it('posts each block that it forges in the form of Core’s webhooks', async () => {
    const posted: { authorization: string | undefined; body: unknown }[] = [];
    const receiver = createHttpServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        posted.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const token = `${'a'.repeat(32)}${'b'.repeat(32)}`;
    const devnet = await startDevnet({
      ...settings,
      DEVNET_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
      DEVNET_WEBHOOK_TOKEN: token,
    });
    while (posted.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    await devnet.stop();
    receiver.close();
    for (const { authorization, body } of posted) {
      expect(authorization).toBe('a'.repeat(32));
      expect(body).toMatchObject({ event: 'block.applied', data: { height: expect.any(Number) } });
    }
  });
});
