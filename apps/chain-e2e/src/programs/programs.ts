import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe } from '@jest/globals';

/** Calls a method of a program: its group, its name, its arguments. Returns the answer as JSON. */
export type CallProgram = (group: string, method: string, ...args: readonly unknown[]) => Promise<unknown>;

type Reply = { readonly answer?: unknown } | { readonly error: string };

type ProgramName = 'ark-ts' | 'client of version 1' | 'client' | 'sdk' | 'gateway';

const FOLDER = process.env['PROGRAMS_FOLDER'];

/** Skips what it describes if the programs could not be installed; the run has said why. */
export const describePrograms = FOLDER === undefined ? describe.skip : describe;

/** The programs that the run has installed. */
export class Programs {
  // NODE_BACKEND: a library of the gateway would load a native module, which is not compiled.
  private readonly process: ChildProcess = fork(join(FOLDER!, 'call-program.mjs'), {
    execArgv: [],
    env: { ...process.env, NODE_BACKEND: 'js' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  of(program: ProgramName, url: string): CallProgram {
    return (...call) => this.call(program, url, ...call);
  }

  async end(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }

  /** One call after the other: replies have no number. */
  private async call(program: ProgramName, url: string, group: string, method: string, ...args: unknown[]) {
    const replied = once(this.process, 'message') as Promise<[Reply]>;
    this.process.send({ program, url, group, method, args });
    const [reply] = await replied;
    if ('error' in reply) throw new Error(`${program}: ${reply.error}`);
    return reply.answer;
  }
}
