import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@roundhouse/testing';

const MAIN = fileURLToPath(new URL('../../devnet/src/main.ts', import.meta.url));
const TYPESCRIPT = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
/** However jest ends, no devnet stays behind. */
const END_WITH_JEST = new URL('../../../tools/src/launcher/end-with-parent.ts', import.meta.url).href;

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

/** A devnet that forges only on order, and misbehaves on order, see its README. */
export class DevnetProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DevnetProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-devnet-'));
    const port = await freePort();
    const flags = ['--conditions=@roundhouse/source', '--no-warnings', '--import', TYPESCRIPT];
    const child = spawn(process.execPath, [...flags, '--import', END_WITH_JEST, MAIN, 'run'], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: folder,
        DEVNET_PORT: String(port),
        DEVNET_HISTORY: '120',
        DEVNET_CONTROL: 'true',
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const devnet = new DevnetProcess(child, folder, `http://127.0.0.1:${port}`);
    await eventually('the devnet answers', async () => (await devnet.order('pause')).height > 0);
    return devnet;
  }

  /** Posts to `/devnet/<order>`; gives where the devnet's own chain is then. */
  async order(order: string, body: object = {}): Promise<{ readonly height: number; readonly id: string }> {
    const response = await fetch(`${this.url}/devnet/${order}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`devnet ${order}: ${await response.text()}`);
    return ((await response.json()) as { data: { height: number; id: string } }).data;
  }

  async stop(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
    await rm(this.folder, { recursive: true, force: true });
  }
}
