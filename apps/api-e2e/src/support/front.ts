import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalProcess, statusOf } from '@roundhouse/local-postgres';
import { findProgram, freePorts } from '@roundhouse/testing';

const CONFIGURATION = fileURLToPath(new URL('../../../../deploy/nginx/', import.meta.url));

export interface Front {
  readonly url: string;
  /** Of Core's version 1. */
  readonly coreV1Url: string;
  /** The same of version 2. */
  readonly coreV2Url: string;
  stop(): Promise<void>;
}

const nginx = findProgram('nginx');

/** Whether there is an nginx on this machine. */
export const hasNginx = nginx !== null;

/** Starts the nginx of docker-compose.yml before a local api, with its files; only folder and ports differ. */
export const startFront = async (api: {
  readonly url: string;
  readonly operationsUrl: string;
  readonly coreV1Url: string | null;
  readonly coreV2Url: string | null;
}): Promise<Front> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-front-'));
  // If the master runs as root, its workers run as another user.
  chmodSync(folder, 0o755);
  const [port, healthPort, coreV1Port, coreV2Port] = await freePorts(4);
  for (const name of readdirSync(CONFIGURATION)) {
    const text = readFileSync(join(CONFIGURATION, name), 'utf8')
      .replaceAll('/tmp/', `${folder}/`)
      .replace('listen 8080 ', `listen 127.0.0.1:${port} `)
      .replace('listen 8082 ', `listen 127.0.0.1:${coreV1Port} `)
      .replace('listen 8083 ', `listen 127.0.0.1:${coreV2Port} `)
      .replace('listen 127.0.0.1:8081;', `listen 127.0.0.1:${healthPort};`);
    writeFileSync(join(folder, name), text);
  }
  const front = new LocalProcess('sh', [join(folder, 'run.sh')], {
    environment: {
      PATH: `${process.env['PATH']}${delimiter}${dirname(nginx!)}`,
      API_HOST: '127.0.0.1',
      API_PORT: new URL(api.url).port,
      API_OPS_PORT: new URL(api.operationsUrl).port,
      ...(api.coreV1Url !== null && { API_CORE_V1_PORT: new URL(api.coreV1Url).port }),
      ...(api.coreV2Url !== null && { API_CORE_V2_PORT: new URL(api.coreV2Url).port }),
    },
  });
  const health = `http://127.0.0.1:${healthPort}/health`;
  await front.until(`it answered ${health}`, async () => (await statusOf(health)) === 204);
  return {
    url: `http://127.0.0.1:${port}`,
    coreV1Url: `http://127.0.0.1:${coreV1Port}`,
    coreV2Url: `http://127.0.0.1:${coreV2Port}`,
    stop: async () => {
      await front.stop();
      rmSync(folder, { recursive: true });
    },
  };
};
