import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestTables } from '@roundhouse/storage';
import { AppProcess } from '@roundhouse/testing';
import { expectPast } from './history/expect-past.js';
import { pastAnswers } from './history/past-answers.js';
import { ProgramIndex } from './history/program-index.js';
import { readState, type State } from './history/read-state.js';
import { ServedIndex } from './served-index.js';

const BLOCKS = 160;
/** In a round, at its end, after it, and at the head. A round is 51 blocks. */
const HEIGHTS = [77, 102, 103, BLOCKS];
/** Where the index without history stops, so that a rebuild builds it. */
const REBUILT_AT = 90;

describe('history of a chain that a devnet forged, with real signatures', () => {
  const open: ProgramIndex[] = [];
  let folder: string;
  let source: Readonly<Record<string, string>>;
  let states: readonly State[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-history-'));
    const [archive, network] = [join(folder, 'chain.ndjson'), join(folder, 'chain.network.json')];
    const command = [
      ...['generate', '--blocks', `${BLOCKS}`, '--out', archive, '--network', network],
      ...['--accounts', '60', '--delegates', '55', '--transactions-per-block', '4'],
    ];
    const { code, stderr } = await new AppProcess('devnet', command, {}).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    source = { BLOCK_SOURCE: `file:${archive}`, NETWORK: network };
    states = await Promise.all(HEIGHTS.map(stateAt));
  });
  afterAll(async () => {
    await Promise.all(open.map((index) => index.close()));
    await rm(folder, { recursive: true });
  });

  const indexOf = async (): Promise<ProgramIndex> => {
    const index = await ProgramIndex.create(source);
    open.push(index);
    return index;
  };

  /** That of a fresh index. */
  const stateAt = async (height: number): Promise<State> => {
    const index = await indexOf();
    await index.run(['sync', '--to', `${height}`]);
    return readState(index.client);
  };

  /** The index must answer as each fresh one is. Returns its digest. */
  const judge = async (index: ProgramIndex): Promise<string> => {
    const served = await ServedIndex.of(index, BLOCKS);
    try {
      const addresses = states.at(-1)!.accounts.map(({ address }) => address);
      for (const state of states) expectPast(await pastAnswers(served, state.height, addresses), state);
      return (await digestTables(index.client)).sha256;
    } finally {
      await served.stop();
    }
  };

  it('is at a height what a fresh index is after "sync --to", kept from genesis on or built by a rebuild', async () => {
    expect(states.map(({ height }) => height)).toEqual(HEIGHTS);
    const kept = await indexOf();
    await kept.run(['sync', '--to', `${BLOCKS}`], 'full');
    const rebuilt = await indexOf();
    await rebuilt.run(['sync', '--to', `${REBUILT_AT}`]);
    await rebuilt.run(['rebuild'], 'full');
    // The index says itself that it has history, so the setting does not matter here.
    await rebuilt.run(['sync', '--to', `${BLOCKS}`]);
    await rebuilt.run(['verify']);
    expect(await judge(rebuilt)).toBe(await judge(kept));
  });
});
