import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, LocalProcess, statusOf } from '@roundhouse/local-postgres';
import { eventually } from '@roundhouse/testing';
import type { Output } from './output.js';
import { Program, type SelfEnded } from './program.js';

/** Prints its pid, answers requests, and keeps running. On SIGTERM it exits like a program that was stopped. */
const stays = (port: number): string => `
  process.on('SIGTERM', () => process.exit(0));
  console.log('it works ' + process.pid);
  const server = require('http').createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1');`;

/** Answers with the outcome of a write to its log. */
const writes = (port: number): string => `
  let outcome = 'waits';
  require('fs').write(1, 'a line', (error) => (outcome = error ? error.code : 'written'));
  require('http').createServer((_, answer) => answer.end(outcome)).listen(${port}, '127.0.0.1');`;

const stateOf = (pid: number): string | null => {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ')[1]?.[0] ?? null) : null;
};

describe('a program of the simulation', () => {
  let logFolder: string;
  let program: Program;
  let ended: SelfEnded[];

  /** `script` receives the port on which the program must answer. */
  const start = async (
    script: (port: number) => string,
    output: Output = 'read',
    afterAnswer: () => Promise<void> = () => Promise.resolve(),
  ): Promise<string> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    program = new Program({
      name: 'patient',
      launch: (options) => new LocalProcess(process.execPath, ['-e', script(port)], options),
      logFolder,
      works: async () => {
        const status = await statusOf(url);
        if (status === 200) await afterAnswer();
        return status === 200;
      },
      livenessUrl: url,
      onSelfEnded: (each) => ended.push(each),
    });
    await program.start(output);
    return url;
  };

  const log = (): string => readFileSync(join(logFolder, 'patient.log'), 'utf8');
  /** The process number of the last started one. */
  const pid = async (): Promise<number> => {
    const pids = (): string[] => [...log().matchAll(/it works (\d+)/g)].map(([, digits]) => digits!);
    await eventually('it says its number', () => pids().length > 0);
    return Number(pids().at(-1));
  };

  beforeEach(() => {
    logFolder = mkdtempSync(join(tmpdir(), 'roundhouse-program-'));
    ended = [];
  });

  afterEach(async () => {
    await program.kill();
    rmSync(logFolder, { recursive: true, force: true });
  });

  it('counts as disturbed while it is paused or killed, and as well again, but not as ended by itself', async () => {
    await start(stays);
    await program.untilReady();
    const asked = performance.now();
    expect(program.isWellSince(asked)).toBe(true);
    const first = await pid();
    program.pause();
    await eventually('it is paused', () => stateOf(first) === 'T');
    expect(program.isWellSince(performance.now())).toBe(false);
    program.resume();
    expect(program.isWellSince(asked)).toBe(false);
    expect(program.isWellSince(performance.now())).toBe(true);
    await program.kill();
    expect([null, 'Z']).toContain(stateOf(first));
    expect(program.isWellSince(performance.now())).toBe(false);
    await program.start();
    await program.untilReady();
    expect(await program.stop()).toBe(0);
    // The log is written asynchronously.
    await eventually('both ends are logged', () => log().match(/--- ended/g)?.length === 2);
    expect(ended).toEqual([]);
  });

  it.each(['stop', 'pause'] as const)(
    'does not count as well after %s, even if it had just answered',
    async (order) => {
      const events = new EventEmitter();
      const answered = once(events, 'answered');
      const slowToEnd = (port: number): string =>
        stays(port).replace('process.exit(0)', 'setTimeout(process.exit, 1_000)');
      await start(slowToEnd, 'read', async () => {
        events.emit('answered');
        await once(events, 'go on');
      });
      await answered;
      const done = program[order]();
      events.emit('go on');
      await wait(100);
      expect(program.isWellSince(performance.now())).toBe(false);
      await done;
      program.resume();
    },
  );

  it('is reported and restarted when it ends by itself', async () => {
    const ends = `{ console.error('I cannot go on'); process.exit(7); }`;
    await start((port) => `${stays(port)} server.once('request', () => setTimeout(() => ${ends}, 2_000));`);
    await eventually('it has ended twice', () => ended.length > 1);
    expect(ended[0]).toEqual({ name: 'patient', wasReady: true, how: 'code 7', lastLine: 'I cannot go on' });
  });

  it.each([
    ['read', 'written'],
    ['full disk', 'ENOSPC'],
    ['unread', 'waits'],
  ] as const)('with the log "%s": the outcome of a write to it is "%s"', async (output, outcome) => {
    const url = await start(writes, output);
    expect(await program.comesAlive()).toBe(true);
    const answer = async (): Promise<string> => (await fetch(url)).text();
    if (outcome !== 'waits') while ((await answer()) === 'waits');
    expect(await answer()).toBe(outcome);
    await program.kill();
    expect(ended).toEqual([]);
  });

  it('reports the most memory that it has used', async () => {
    await start((port) => `Buffer.alloc(300 * 1024 * 1024, 1); ${stays(port)}`);
    await program.untilReady();
    expect(program.peakMiB).toBeGreaterThan(300);
    await program.kill();
    expect(program.peakMiB).toBeNull();
  });

  it('reports its last line if it cannot start', async () => {
    await start(() => `console.error('No such place'); process.exit(1);`);
    await expect(program.untilReady()).rejects.toThrow('patient does not start: No such place');
  });
});
