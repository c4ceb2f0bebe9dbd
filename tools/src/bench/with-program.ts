import { AppProcess, freePorts, type AppName } from '@roundhouse/local-postgres';

/** How often the api is asked for its first answer. */
const ASK_AGAIN_MS = 5;

/** Runs an app as it is deployed while `work` runs. Shows its errors; its log is not kept, unless `keepsLog`. */
export const withProgram = async <T>(
  app: AppName,
  environment: NodeJS.ProcessEnv,
  work: (program: AppProcess) => Promise<T>,
  keepsLog = false,
): Promise<T> => {
  const output = keepsLog ? {} : { hear: () => undefined };
  const program = new AppProcess(app, ['run'], environment, { stderr: 'inherit', ...output });
  try {
    return await work(program);
  } finally {
    await program.stop();
  }
};

/** The cache size of a deployed pod. */
export const CACHE_MAX_BYTES = 64 * 1024 * 1024;
/** Caches nothing, so every request is cold. */
export const NO_CACHE = 1;

export interface Api {
  readonly url: string;
  /** The time from the start of the process to its first answer. */
  readonly startMs: number;
  readonly program: AppProcess;
}

/** Runs the api while `work` runs, which begins after its first answer. */
export const withApi = async <T>(
  databaseUrl: string,
  cacheMaxBytes: number,
  work: (api: Api) => Promise<T>,
): Promise<T> => {
  const [port, operationsPort] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const environment = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    OPS_PORT: String(operationsPort),
    CACHE_MAX_BYTES: String(cacheMaxBytes),
    LOG_LEVEL: 'info',
  };
  return withProgram('api', environment, async (program) => {
    await program.answers(`${url}/api/blocks/getHeight`, ASK_AGAIN_MS);
    return work({ url, startMs: Math.round(performance.now() - begun), program });
  });
};
