import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { getText } from './support/requests.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

/** Files of settings, logs, metrics, traces and of who a client is are not counted, nor is what every project shares. */
const COUNTED =
  /^(?:apps\/api\/src\/(?!operations\/|limits\/client-address|app\.ts)|libs\/(?:dto|readers)\/)/;

const PLAIN = { 'accept-encoding': 'identity' };

/** They run in the background: what follows the head, and the beats of event streams. */
const BACKGROUND = /head-watcher|chain-state|event-streams/;

describe('the files that a cold answer passes', () => {
  const session = new Session();
  let index: GrowingIndex;
  let api: RunningApi;

  beforeAll(async () => {
    const { network, blocks } = randomChain({ seed: 5, blocks: 60 });
    index = await GrowingIndex.create(network, { keepsHistory: true });
    await index.apply(blocks);
    api = await startApi(index.url, { CORE_V1_PORT: '0' });
    session.connect();
    await session.post('Profiler.enable');
  });

  afterAll(async () => {
    session.disconnect();
    await api.close();
    await index.close();
  });

  /** The files of which a function ran. */
  const walk = async (path: string): Promise<string[]> => {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    // A longer answer would also be compressed.
    const { status } = await getText(api.url, path, PLAIN);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    expect(status).toBe(200);
    return result
      .filter(({ url, functions }) => url !== '' && functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => relative(WORKSPACE, url.replace(/^file:\/\//, '')))
      .filter((file) => COUNTED.test(file) && !BACKGROUND.test(file));
  };

  it.each([
    ['/api/delegates/voters?publicKey=', 'publicKey', '', 14],
    ['/api/history/accounts/', 'address', '?height=21', 16],
    ['/api/v1/accounts?address=', 'address', '', 16],
  ] as const)('%s: few', async (before, key, after, most) => {
    const { text } = await getText(api.url, '/api/delegates?limit=2');
    const [warm, cold] = (JSON.parse(text) as { delegates: Record<string, string>[] }).delegates;
    await getText(api.url, before + warm![key]! + after, PLAIN);
    const files = await walk(before + cold![key]! + after);
    expect(files.length > most ? files : []).toEqual([]);
    // The measurement sees something.
    expect(files.length).toBeGreaterThan(most / 2);
  });
});
