import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseNetwork } from '@roundhouse/chain';
import { createBlockSource, NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import { recordingFile } from '@roundhouse/testing';
import { PreparePool, type PreparedBlocks } from './bulk-blocks.service.js';

const network = parseNetwork(JSON.parse(readFileSync(recordingFile('core-3.9', 'network.json'), 'utf8')));
const source = await createBlockSource({
  urls: `file:${recordingFile('core-3.9', 'chain.ndjson.gz')}`,
  network,
});

/** The threads run from the TypeScript sources, so a test does not depend on a build. */
const threads = {
  threads: 2,
  execArgv: [
    '--conditions=@roundhouse/source',
    `--import=${new URL('../../../../tools/jest/typescript.mjs', import.meta.url).href}`,
  ],
};

describe('preparing blocks in threads', () => {
  let pool: PreparePool;
  const open = (): PreparePool =>
    (pool = new PreparePool({ source: source.name, network, verify: 'full' }, threads));
  afterEach(() => pool.close());

  it('gives the blocks of a recorded chain as the source itself decodes and checks them', async () => {
    open();
    const preparing: Promise<PreparedBlocks>[] = [];
    for await (const segment of source.segments!(1)) preparing.push(pool.prepare(segment));
    const prepared = (await Promise.all(preparing)).flatMap(({ blocks }) => blocks);
    expect(prepared).toEqual(await source.blocks(1, 322));
  });

  it('returns the blocks below a wrong one, and the reason why that one is refused', async () => {
    const segment = (await source.segments!(1).next()).value as BlockSegment;
    const lines = Buffer.from(segment.bytes).toString().split('\n').slice(0, 20);
    const blocks = await source.blocks(1, 20);
    open();
    for (const [right, wrong] of [
      ['"previousBlock":"', '"previousBlock":"7'],
      ['"reward":"0"', '"reward":"?"'],
      ['"height":14', '"height":"14"'],
      ['{', '{{'],
    ] as const) {
      const bytes = Buffer.from(lines.with(13, lines[13]!.replace(right, wrong)).join('\n'));
      const prepared = await pool.prepare({ firstHeight: 1, bytes });
      expect(prepared.blocks.map(({ id }) => id)).toEqual(blocks.slice(0, 13).map(({ id }) => id));
      expect(prepared.refusal).toBeInstanceOf(NodeProtocolError);
      expect(prepared.refusal).toMatchObject({ height: 14 });
    }
  });

  it('fails when a thread dies, and starts another for the next segment', async () => {
    const started: Worker[] = [];
    const note = (message: unknown): void => void started.push((message as { worker: Worker }).worker);
    subscribe('worker_threads', note);
    pool = new PreparePool({ source: source.name, network, verify: 'hash' }, { ...threads, threads: 1 });
    const { bytes } = (await source.segments!(1).next()).value as BlockSegment;
    const prepare = (): Promise<PreparedBlocks> =>
      pool.prepare({ firstHeight: 1, bytes: Buffer.from(bytes) });
    expect((await prepare()).blocks.length).toBe(322);
    const failing = expect(prepare()).rejects.toThrow('A thread that prepares blocks has ended.');
    await started[0]!.terminate();
    await failing;
    expect((await prepare()).blocks.length).toBe(322);
    expect(started).toHaveLength(2);
    unsubscribe('worker_threads', note);
  });
});
