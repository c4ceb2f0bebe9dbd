import { AppProcess, freePorts, type LogLine } from '@roundhouse/testing';

export interface ApiProcess {
  readonly url: string;
  readonly operationsUrl: string;
  /** The log lines so far. */
  readonly lines: readonly LogLine[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts the api as a process, with only ports and the given variables in its environment. Resolves when it is ready.
 * @param stdout a descriptor for its log; `lines` then stays empty
 */
export const startApiProcess = async (
  environment: Readonly<Record<string, string>>,
  stdout?: number,
): Promise<ApiProcess> => {
  const [port, operationsPort] = await freePorts(2);
  const ports = { PORT: String(port), OPS_PORT: String(operationsPort) };
  const app = new AppProcess('api', ['run'], { ...ports, ...environment }, { stdout });
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  await app.answers(`${operationsUrl}/health/ready`);
  // The public port opens last. A request to it would be in the traces and metrics of the test.
  await app.listens(port!);
  return {
    url: `http://127.0.0.1:${port}`,
    operationsUrl,
    get lines() {
      return app.lines;
    },
    ended: app.ended.then(({ code, signal }) => ({ code, signal })),
    kill: (signal) => void app.kill(signal),
  };
};
