import { freePort, LocalProcess, type Ended } from '@roundhouse/local-postgres';
import { findProgram } from './find-program.js';

export interface TestRedis {
  readonly url: string;
  readonly ended: Promise<Ended>;
  stop(): Promise<unknown>;
}

/** Paths of PEM files. */
export interface ServerTls {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  readonly asksForClientCertificate: boolean;
}

interface RedisOptions {
  /** (Default: a free port) */
  readonly port?: number;
  /** If it is given, only TLS is accepted. */
  readonly tls?: ServerTls;
  /** Whether the folder holds the data across starts. (Default: false) */
  readonly keepsData?: boolean;
}

/** The `redis-server` of this machine, or null. */
export const findRedis = (): string | null => findProgram('redis-server');

const tlsArguments = (port: number, tls: ServerTls): string[] => [
  '--port',
  '0',
  '--tls-port',
  String(port),
  '--tls-ca-cert-file',
  tls.authority,
  '--tls-cert-file',
  tls.certificate,
  '--tls-key-file',
  tls.key,
  '--tls-auth-clients',
  tls.asksForClientCertificate ? 'yes' : 'no',
];

/** Starts a Redis in a folder. Returns null if there is no `redis-server`. */
export const startTestRedis = async (
  directory: string,
  { port: givenPort, tls, keepsData = false }: RedisOptions = {},
): Promise<TestRedis | null> => {
  const program = findRedis();
  if (program === null) return null;
  const port = givenPort ?? (await freePort());
  const server = new LocalProcess(program, [
    ...(tls === undefined ? ['--port', String(port)] : tlsArguments(port, tls)),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--maxmemory-policy',
    'noeviction',
    '--save',
    '',
    '--appendonly',
    keepsData ? 'yes' : 'no',
  ]);
  await server.says(/eady to accept connections/);
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    ended: server.ended,
    stop: () => server.stop(),
  };
};
