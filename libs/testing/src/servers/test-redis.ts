import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

/** A Redis that keeps nothing, or null where there is no `redis-server` on the PATH. */
export const startTestRedis = async (directory: string): Promise<TestRedis | null> => {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
      '--dir',
      directory,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const isReady = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve(false) : reject(error),
    );
    server.once('exit', (code) => reject(new Error(`redis-server ended at its start with code ${code}.`)));
    server.stdout.on('data', (text: Buffer) => text.includes('eady to accept connections') && resolve(true));
  });
  if (!isReady) return null;
  server.removeAllListeners('exit');
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
};
