import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '@roundhouse/local-postgres';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Paths of PEM files. */
export interface ServerTls {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  readonly asksForClientCertificate: boolean;
}

/** The `redis-server` on the PATH, or null. */
export const findRedis = (): string | null => {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server'));
  const isExecutable = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return places.find(isExecutable) ?? null;
};

const listenArguments = (port: number, tls: ServerTls | null): string[] =>
  tls === null
    ? ['--port', String(port)]
    : [
        ...['--port', '0', '--tls-port', String(port)],
        ...['--tls-cert-file', tls.certificate, '--tls-key-file', tls.key],
        ...['--tls-ca-cert-file', tls.authority],
        ...['--tls-auth-clients', tls.asksForClientCertificate ? 'yes' : 'no'],
      ];

/**
 * Starts a Redis that stores nothing. If `tls` is given, it accepts only TLS. Returns null if there is no
 * `redis-server` on the PATH.
 */
export const startTestRedis = async (
  directory: string,
  tls: ServerTls | null = null,
  givenPort?: number,
): Promise<TestRedis | null> => {
  const program = findRedis();
  if (program === null) return null;
  const port = givenPort ?? (await freePort());
  const server = spawn(
    program,
    [
      ...listenArguments(port, tls),
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`redis-server ended at its start with code ${code}.`)));
    server.stdout.on('data', (text: Buffer) => text.includes('eady to accept connections') && resolve());
  });
  server.removeAllListeners('exit');
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  };
  return { url: `${tls === null ? 'redis' : 'rediss'}://127.0.0.1:${port}`, stop };
};
