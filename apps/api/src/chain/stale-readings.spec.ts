import type { ChainState, HeadRecord } from '@roundhouse/readers';
import { StaleReadings } from './stale-readings.js';

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
  sourceHeight: null,
  sourceSilentSeconds: 0,
});

describe('StaleReadings', () => {
  let said: boolean[];
  let readings: StaleReadings;
  const isStale = (revision: bigint, readAt: number, isReplica = true): boolean =>
    readings.isStale(stateAt(revision, isReplica), headAt(5n), readAt);

  beforeEach(() => {
    said = [];
    readings = new StaleReadings((isWaitedFor) => said.push(isWaitedFor));
  });

  it('accept any head of a primary', () => {
    expect([4n, 5n, 6n].map((revision) => isStale(revision, 0, false))).toEqual([false, false, false]);
  });

  it('wait for a replica that is behind, and report that once', () => {
    expect([0, 400, 29_999].map((readAt) => isStale(4n, readAt))).toEqual([true, true, true]);
    expect(isStale(5n, 30_000)).toBe(false);
    expect(said).toEqual([true]);
  });

  it('accept a replica that stays behind, as after the restore of a backup', () => {
    expect([0, 29_999, 30_000].map((readAt) => isStale(4n, readAt))).toEqual([true, true, false]);
    expect(said).toEqual([true, false]);
  });

  it('start waiting again after another replica was up to date', () => {
    expect(isStale(4n, 0)).toBe(true);
    expect(isStale(5n, 20_000)).toBe(false);
    expect(isStale(4n, 40_000)).toBe(true);
  });

  it('accept a replica without a head, and any replica before something was served', () => {
    expect(readings.isStale({ ...stateAt(4n, true), head: null }, headAt(5n), 0)).toBe(false);
    expect(readings.isStale(stateAt(4n, true), null, 0)).toBe(false);
  });
});
