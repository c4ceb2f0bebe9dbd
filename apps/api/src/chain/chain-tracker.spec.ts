import { pino } from 'pino';
import type { ChainState, HeadRecord, NetworkRecord } from '@roundhouse/readers';
import type { ApiSettings } from '../api.config.js';
import { ChainTracker } from './chain-tracker.service.js';

const headAt = (revision: bigint): HeadRecord => ({
  height: 7,
  id: '7',
  timestamp: 0,
  supply: 0n,
  delegateCount: 0,
  indexedAtUs: 0n,
  revision,
});

const stateAt = (revision: bigint, isReplica: boolean): ChainState => ({
  isReplica,
  replicaLagSeconds: null,
  head: headAt(revision),
  network: null,
  hasListIndexes: true,
  sourceHeight: null,
  sourceSilentSeconds: 0,
  end: null,
});

describe('ChainTracker', () => {
  let said: string[];
  let tracker: ChainTracker;
  const observe = (state: ChainState, readAt = 0): void => tracker['observe'](state, readAt);
  /** The revision that is served after a reading. */
  const served = (revision: bigint, readAt: number, isReplica = true): bigint | undefined => {
    observe(stateAt(revision, isReplica), readAt);
    return tracker.latest?.headOrNull?.revision;
  };

  beforeEach(() => {
    said = [];
    const write = (line: string): void => void said.push((JSON.parse(line) as { msg: string }).msg);
    const settings = { DATABASE_URL: 'postgres://127.0.0.1/none' } as ApiSettings;
    tracker = new ChainTracker(settings, pino({}, { write }));
  });

  it('accepts any head of a primary', () => {
    expect([5n, 4n, 6n].map((revision) => served(revision, 0, false))).toEqual([5n, 4n, 6n]);
  });

  it('waits for a replica that is behind, and says that once', () => {
    served(5n, 0);
    expect([0, 400, 29_999].map((readAt) => served(4n, readAt))).toEqual([5n, 5n, 5n]);
    expect(served(6n, 30_000)).toBe(6n);
    expect(said).toEqual(['the replica is behind what was served: waiting for it']);
  });

  it('does not take a reading that it waits for as confirmed', () => {
    served(5n, -5000);
    served(4n, performance.now());
    expect(tracker.isConfirmed).toBe(false);
    served(5n, performance.now());
    expect(tracker.isConfirmed).toBe(true);
  });

  it('accepts a replica that stays behind, as after the restore of a backup', () => {
    served(5n, 0);
    expect([0, 29_999, 30_000].map((readAt) => served(4n, readAt))).toEqual([5n, 5n, 4n]);
    expect(said).toEqual([expect.stringContaining('waiting for it'), expect.stringContaining('from now on')]);
  });

  it('starts waiting again after another replica was up to date', () => {
    served(5n, 0);
    expect(served(4n, 0)).toBe(5n);
    expect(served(5n, 20_000)).toBe(5n);
    expect(served(4n, 40_000)).toBe(5n);
  });

  it('accepts a replica without a head, and any replica before something was served', () => {
    expect(served(4n, 0)).toBe(4n);
    observe({ ...stateAt(3n, true), head: null });
    expect(tracker.latest?.headOrNull).toBeNull();
  });

  it('tells of a new head or network, not of news of the node, which only make a new view', () => {
    let told = 0;
    tracker.onNewBasis(() => (told += 1));
    const state = stateAt(5n, false);
    const network = { version: '2' } as NetworkRecord;
    const counts = [
      state,
      { ...state, head: headAt(5n) },
      { ...state, sourceHeight: 9 },
      { ...state, sourceHeight: 9, sourceSilentSeconds: 60 },
      { ...state, head: headAt(6n) },
      { ...state, head: headAt(6n), network },
    ].map((each) => {
      const { latest } = tracker;
      observe(each);
      return [told, tracker.latest === latest, tracker.latest?.sequence];
    });
    expect(counts).toEqual([
      [1, false, 1],
      [1, true, 1],
      [1, false, 1],
      [1, false, 1],
      [2, false, 2],
      [3, false, 3],
    ]);
  });
});
