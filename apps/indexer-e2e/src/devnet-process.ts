import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppProcess, freePort } from '@roundhouse/testing';

/** The devnet after an order: the head of its own chain, and how often its API has been asked. */
interface Standing {
  readonly height: number;
  readonly id: string;
  readonly requests: number;
}

/** A devnet that forges and misbehaves only on order: see its README. */
export class DevnetProcess {
  private constructor(
    private readonly app: AppProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DevnetProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-devnet-'));
    const port = await freePort();
    const app = new AppProcess('devnet', ['run'], {
      DATA_DIR: folder,
      DEVNET_PORT: String(port),
      DEVNET_HISTORY: '120',
      DEVNET_CONTROL: 'true',
      ...settings,
    });
    const devnet = new DevnetProcess(app, folder, `http://127.0.0.1:${port}`);
    await app.answers(`${devnet.url}/api/node/status`);
    await devnet.order('pause');
    return devnet;
  }

  /** Posts to `/devnet/<order>`. */
  async order(order: string, body: object = {}): Promise<Standing> {
    const response = await fetch(`${this.url}/devnet/${order}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`devnet ${order}: ${await response.text()}`);
    return ((await response.json()) as { data: Standing }).data;
  }

  async stop(): Promise<void> {
    await this.app.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }
}
