import { mkdirSync, rmSync } from 'node:fs';
import { Redis as RedisClient } from 'ioredis';
import { Program, type ProgramOptions } from './program.js';

interface RedisOptions extends Pick<ProgramOptions, 'logFolder' | 'onSelfEnded'> {
  readonly server: string;
  readonly folder: string;
  readonly port: number;
}

/** Unlike the Redis of the tests, it keeps its data, and is restarted on the same port. */
export class Redis {
  readonly url: string;
  private readonly program: Program;

  constructor(private readonly options: RedisOptions) {
    const { server, folder, port } = options;
    this.url = `redis://127.0.0.1:${port}`;
    this.program = new Program({
      ...options,
      name: 'redis',
      command: server,
      args: [
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
        ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
      ],
      environment: { PATH: process.env['PATH'] },
      works: () => this.works(),
    });
  }

  async start(): Promise<void> {
    mkdirSync(this.options.folder, { recursive: true });
    await this.program.start();
    await this.program.untilReady();
  }

  async stop(keepsData = true): Promise<void> {
    await this.program.stop();
    if (!keepsData) rmSync(this.options.folder, { recursive: true, force: true });
  }

  private async works(): Promise<boolean> {
    const client = new RedisClient(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.ping();
      return true;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }

  async flush(): Promise<void> {
    const client = new RedisClient(this.url);
    // The failing command reports a broken connection.
    client.on('error', () => undefined);
    try {
      await client.flushall();
    } finally {
      client.disconnect();
    }
  }
}
