import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts } from '@roundhouse/testing';

const CONFIGURATION = fileURLToPath(new URL('../../../../deploy/nginx/', import.meta.url));

export interface Front {
  readonly url: string;
  /** Of the dialect. */
  readonly dialectUrl: string;
  stop(): Promise<void>;
}

/** Debian installs nginx outside the PATH of ordinary users. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

const nginxFolder = PLACES.find((folder) => {
  try {
    accessSync(join(folder, 'nginx'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** Whether there is an nginx on this machine. */
export const hasNginx = nginxFolder !== undefined;

/** Starts the nginx of docker-compose.yml before a local api, with its files; only folder and ports differ. */
export const startFront = async (api: {
  readonly url: string;
  readonly operationsUrl: string;
  readonly dialectPort?: number;
}): Promise<Front> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-front-'));
  // If the master runs as root, its workers run as another user.
  chmodSync(folder, 0o755);
  const [port, healthPort, dialectPort] = await freePorts(3);
  for (const name of readdirSync(CONFIGURATION)) {
    const text = readFileSync(join(CONFIGURATION, name), 'utf8')
      .replaceAll('/tmp/', `${folder}/`)
      .replace('listen 8080 ', `listen 127.0.0.1:${port} `)
      .replace('listen 8082 ', `listen 127.0.0.1:${dialectPort} `)
      .replace('listen 127.0.0.1:8081;', `listen 127.0.0.1:${healthPort};`);
    writeFileSync(join(folder, name), text);
  }
  const child = spawn('sh', [join(folder, 'run.sh')], {
    env: {
      PATH: `${process.env['PATH']}${delimiter}${nginxFolder}`,
      API_HOST: '127.0.0.1',
      API_PORT: new URL(api.url).port,
      API_OPS_PORT: new URL(api.operationsUrl).port,
      ...(api.dialectPort === undefined ? {} : { API_DIALECT_PORT: String(api.dialectPort) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`The front ended with code ${child.exitCode}: ${said}`);
    return fetch(`http://127.0.0.1:${healthPort}/health`).then(
      ({ status }) => status === 204,
      () => false,
    );
  };
  await eventually('the front answers', answers, 60_000);
  return {
    url,
    dialectUrl: `http://127.0.0.1:${dialectPort}`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
