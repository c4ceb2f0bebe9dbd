import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, LocalProcess } from '@roundhouse/local-postgres';
import { eventually } from './eventually.js';
import { untilServed } from './until-served.js';

const START = fileURLToPath(new URL('../../../apps/start/start.mjs', import.meta.url));

const LOCALHOST = '127.0.0.1';

/** Far more than a start takes: other tests may keep the machine busy. */
const READY_MS = 180_000;

export interface StackPorts {
  readonly PORT: string;
  readonly DEVNET_PORT: string;
  readonly OPS_PORT: string;
}

/** The indexer's internal port is the one after OPS_PORT. */
export const stackPorts = async (): Promise<StackPorts> => {
  const [PORT, DEVNET_PORT, OPS_PORT] = (await freePorts(4)).map(String);
  return { PORT: PORT!, DEVNET_PORT: DEVNET_PORT!, OPS_PORT: OPS_PORT! };
};

/** A folder for its data. */
export const makeStackFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-stack-'));
  // Under root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  return folder;
};

/** A running `npm start`, in its own process. */
export class LaunchedStack {
  output = '';
  readonly ended: Promise<number | null>;
  private readonly process: LocalProcess;

  /** @param environment has DATA_DIR and the ports */
  constructor(readonly environment: NodeJS.ProcessEnv & StackPorts) {
    const { PATH, HOME } = process.env;
    this.process = new LocalProcess(process.execPath, [START], {
      environment: { PATH, HOME, ...environment },
      hear: (text) => (this.output += text),
    });
    this.ended = this.process.ended.then(({ code }) => code);
  }

  /** Starts it in a new folder, which is removed when it ends, and waits until it is ready. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<LaunchedStack> {
    const folder = makeStackFolder();
    const stack = new LaunchedStack({ DATA_DIR: folder, ...(await stackPorts()), ...environment });
    void stack.ended.then(() => rmSync(folder, { recursive: true, force: true }));
    await stack.ready().catch(async (error: Error) => {
      await stack.stop();
      throw error;
    });
    return stack;
  }

  get url(): string {
    return this.urlAt(this.environment.PORT);
  }

  get devnetUrl(): string {
    return `http://${LOCALHOST}:${this.environment.DEVNET_PORT}`;
  }

  /** Waits until the api and the indexer are ready and the index has caught up; fails if `npm start` ends first. */
  async ready(): Promise<void> {
    const { OPS_PORT } = this.environment;
    const readiness = [this.urlAt(OPS_PORT), `http://${LOCALHOST}:${Number(OPS_PORT) + 1}`];
    const isReady = async (): Promise<boolean> => {
      for (const url of readiness) if (!(await fetch(`${url}/health/ready`)).ok) return false;
      return (await this.get<{ readonly loaded: boolean }>('/api/loader/status')).loaded;
    };
    const isOver = async (): Promise<boolean> => this.process.hasEnded || (await isReady());
    await eventually('the stack is ready', isOver, READY_MS).catch((error: Error) => {
      throw new Error(`${error.message}:\n${this.output}`, { cause: error.cause });
    });
    if (this.process.hasEnded) throw new Error(`npm start ended:\n${this.output}`);
  }

  async height(): Promise<number> {
    return (await this.get<{ readonly height: number }>('/api/blocks/getHeight')).height;
  }

  signal(signal: NodeJS.Signals): void {
    void this.process.kill(signal);
  }

  /** Stops it like Ctrl-C; returns its exit code. */
  stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** The addresses that it suggests to try. */
  curlTargets(): string[] {
    return [...this.output.matchAll(/^ {2}curl '?([^'\n]+)'?$/gm)].map(([, url]) => url ?? '');
  }

  /** All addresses that it prints, except that of the devnet. */
  addresses(): string[] {
    return [...this.output.matchAll(/http:[^\s',]+/g)]
      .map(([url]) => url)
      .filter((url) => !url.endsWith(`:${this.environment.DEVNET_PORT}`));
  }

  /** The last line of its output. */
  lastLine(): string {
    return this.output.trim().split('\n').at(-1) ?? '';
  }

  private urlAt(port: string): string {
    const host = this.environment['HOST'] ?? LOCALHOST;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  private async get<T>(path: string): Promise<T> {
    const { body } = await untilServed(async () => {
      const response = await fetch(this.url + path);
      return { status: response.status, body: (await response.json()) as T };
    });
    return body;
  }
}
