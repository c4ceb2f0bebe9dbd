import { freePorts } from '@roundhouse/local-postgres';
import { startProgram } from '../program.js';

export interface ApiProcess {
  readonly url: string;
  /** The time from the start of the process to its first answer. */
  readonly startMs: number;
  peakRssMiB(): number;
  stop(): Promise<unknown>;
}

/** The cache size of a deployed pod. */
export const CACHE_MAX_BYTES = 64 * 1024 * 1024;
/** Caches nothing, so every request is cold. */
export const NO_CACHE = 1;

/** How often the api is asked for its first answer. */
const ASK_AGAIN_MS = 5;

/** Starts the api as it is deployed. Resolves with its first answer. */
export const startApi = async (databaseUrl: string, cacheMaxBytes: number): Promise<ApiProcess> => {
  const [port, operationsPort] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const program = startProgram('api', {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    OPS_PORT: String(operationsPort),
    CACHE_MAX_BYTES: String(cacheMaxBytes),
    LOG_LEVEL: 'info',
  });
  await program.answers(`${url}/api/blocks/getHeight`, ASK_AGAIN_MS);
  return {
    url,
    startMs: performance.now() - begun,
    peakRssMiB: () => program.peakMiB ?? NaN,
    stop: () => program.stop(),
  };
};
