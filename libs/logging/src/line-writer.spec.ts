import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { LineWriter } from './line-writer.js';

/** The capacity of a pipe on Linux. */
const PIPE_BYTES = 64 * 1024;

const WAITING_BYTES = 1024 * 1024;

describe('a line writer', () => {
  let folder: string;
  let pipe: number;
  let missing: number[];
  let lines: LineWriter;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roundhouse-lines-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    missing = [];
    lines = new LineWriter(pipe, (count) => missing.push(count));
  });

  afterEach(() => {
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  });

  /** Returns what the pipe holds now. */
  const read = (): string => {
    const chunk = Buffer.alloc(PIPE_BYTES);
    try {
      return chunk.subarray(0, readSync(pipe, chunk)).toString();
    } catch {
      return '';
    }
  };

  const readUntil = async (last: string): Promise<string[]> => {
    let text = '';
    while (!text.includes(last)) {
      text += read();
      await wait(5);
    }
    return text.trimEnd().split('\n');
  };

  const line = (index: number): string => `${index} `.padEnd(999, 'é').slice(0, 500) + '\n';

  it('writes at once what the reader takes', () => {
    lines.write('one\n');
    lines.write('two\n');
    expect(read()).toBe('one\ntwo\n');
  });

  it('keeps lines for a slow reader, and writes each one whole and in order', async () => {
    const written = Array.from({ length: 500 }, (_, index) => line(index));
    for (const each of written) lines.write(each);
    expect(lines.droppedCount).toBe(0);
    expect(await readUntil(line(499))).toEqual(written.map((each) => each.trimEnd()));
    expect(missing).toEqual([]);
  });

  it('drops lines beyond its limit, and reports their number when the reader continues', async () => {
    const bytes = Buffer.byteLength(line(1000));
    for (let index = 1000; index < 4000; index += 1) lines.write(line(index));
    const kept = 3000 - lines.droppedCount;
    expect(kept * bytes).toBeLessThanOrEqual(WAITING_BYTES + PIPE_BYTES);
    expect(kept * bytes).toBeGreaterThan(WAITING_BYTES);
    expect(missing).toEqual([]);
    const received = await readUntil(line(1000 + kept - 1));
    expect(received).toHaveLength(kept);
    while (missing.length === 0) await wait(5);
    expect(missing).toEqual([lines.droppedCount]);
    lines.write('afterwards\n');
    expect(read()).toBe('afterwards\n');
  });

  it('waits at most half a second for a slow reader at exit', () => {
    while (lines.droppedCount === 0) lines.write(line(1));
    const startedAt = performance.now();
    lines.writeLast();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(performance.now() - startedAt).toBeGreaterThan(450);
  });

  it('writes nothing after its last lines, when the descriptor may belong to another file', async () => {
    while (lines.droppedCount === 0) lines.write(line(1));
    lines.writeLast();
    while (read() !== '');
    // Twice the pause before the next try.
    await wait(200);
    expect(read()).toBe('');
  });

  it('does not slow down on a full disk, not even at exit', () => {
    const full = openSync('/dev/full', 'w');
    const toFullDisk = new LineWriter(full, (count) => missing.push(count));
    const startedAt = performance.now();
    for (let index = 0; index < 10_000; index += 1) toFullDisk.write(line(index));
    toFullDisk.writeLast();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(toFullDisk.droppedCount).toBeGreaterThan(5000);
    expect(missing).toEqual([]);
    closeSync(full);
  });
});
