import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGES = ['ark-ts@0.4.1', '@arkecosystem/client@0.1.25'];

/** Calls a method of a client of that name: its group, its name, its arguments. Returns the answer as JSON. */
export type CallClient = (group: string, method: string, ...args: readonly unknown[]) => Promise<unknown>;

type Reply = { readonly answer?: unknown } | { readonly error: string };

const PROGRAM = join(import.meta.dirname, 'call-client.mjs');

/** Two programs that spoke to real nodes, in a folder of their own. */
export class RealClients {
  private constructor(
    private readonly folder: string,
    private readonly program: ChildProcess,
  ) {}

  static async install(): Promise<RealClients> {
    const folder = await mkdtemp(join(tmpdir(), 'roundhouse-real-clients-'));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=5'];
    try {
      await promisify(execFile)('npm', ['install', ...flags, ...PACKAGES], { cwd: folder });
    } catch (error) {
      await rm(folder, { recursive: true });
      throw new Error(
        `npm cannot install ${PACKAGES.join(' and ')}: this test needs the npm registry. ${(error as Error).message}`,
        { cause: error },
      );
    }
    return new RealClients(folder, fork(PROGRAM, { cwd: folder, execArgv: [] }));
  }

  arkTs(url: string): CallClient {
    return (...call) => this.call('ark-ts', url, ...call);
  }

  arkClient(url: string): CallClient {
    return (...call) => this.call('@arkecosystem/client', url, ...call);
  }

  async remove(): Promise<void> {
    const ended = once(this.program, 'exit');
    this.program.disconnect();
    await ended;
    await rm(this.folder, { recursive: true });
  }

  /** One call after the other: replies have no number. */
  private async call(client: string, url: string, group: string, method: string, ...args: unknown[]) {
    const replied = once(this.program, 'message') as Promise<[Reply]>;
    this.program.send({ client, url, group, method, args });
    const [reply] = await replied;
    if ('error' in reply) throw new Error(`${client}: ${reply.error}`);
    return reply.answer;
  }
}
