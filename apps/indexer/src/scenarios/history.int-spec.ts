import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readHasHistory } from '@roundhouse/storage';
import { findViolations, randomChain } from '@roundhouse/testing';
import { pino } from 'pino';
import { IndexerHarness, MemorySource } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 8, blocks: 90 });
const forked = randomChain({ seed: 8, blocks: 120, forkFrom: 71 }).blocks;

describe('the setting HISTORY', () => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    source = new MemorySource(blocks.slice(0, 60), network);
  });

  afterEach(() => harness.close());

  /** Starts an indexer, waits until it has the chain, and stops it; returns what it said of the setting. */
  const runWith = async (HISTORY: string): Promise<string[]> => {
    const output = new PassThrough();
    const indexer = await harness.start(source, { HISTORY }, pino(output));
    await harness.reach(source.chain.at(-1)!);
    await indexer.stop();
    const lines = String(output.read()).trim().split('\n');
    return lines
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .filter((message) => message.startsWith('HISTORY='));
  };

  it.each([
    ['full', true, 'off', /^HISTORY=off has no effect: the index has history.*main\.js rebuild"/],
    [
      'off',
      false,
      'full',
      /^HISTORY=full has no effect: the index was begun without history.*"HISTORY=full node \S+main\.js rebuild"/,
    ],
  ] as const)(
    '%s counts when an index begins; after that, another only says so',
    async (first, has, other, said) => {
      expect(await runWith(first)).toEqual([]);
      expect(await readHasHistory(harness.pool)).toBe(has);
      source.chain = blocks;
      expect(await runWith(first)).toEqual([]);
      source.chain = forked;
      expect(await runWith(other)).toEqual([expect.stringMatching(said)]);
      expect(await readHasHistory(harness.pool)).toBe(has);
      const client = await harness.pool.connect();
      try {
        expect(await findViolations(client)).toEqual({});
        const { rows } = await client.query<{ height: number | null }>(
          'SELECT max(height) AS height FROM history_delegates',
        );
        expect(rows[0]!.height).toBe(has ? 120 : null);
      } finally {
        client.release();
      }
    },
  );
});
