import { mkdirSync, rmSync } from 'node:fs';
import { startTestRedis, type TestRedis } from '@roundhouse/testing';
import { Redis as RedisClient } from 'ioredis';
import type { ProgramOptions } from './program.js';

/** It keeps its data, and is restarted on the same port. */
export class Redis {
  readonly url: string;
  private server: TestRedis | null = null;

  constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly onSelfEnded: ProgramOptions['onSelfEnded'],
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    const server = await startTestRedis(this.folder, { port: this.port, keepsData: true });
    this.server = server;
    void server?.ended.then(({ code, signal, stdout }) => {
      if (this.server !== server) return;
      const lastLine = stdout.trim().split('\n').at(-1) ?? '';
      this.onSelfEnded({ name: 'redis', wasReady: true, how: String(signal ?? `code ${code}`), lastLine });
      void this.start();
    });
  }

  async stop(keepsData = true): Promise<void> {
    const { server } = this;
    this.server = null;
    await server?.stop();
    if (!keepsData) rmSync(this.folder, { recursive: true, force: true });
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
