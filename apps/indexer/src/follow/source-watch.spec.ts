import { jest } from '@jest/globals';
import { NodeUnavailableError, type UnavailableKind } from '@roundhouse/source';
import { pino } from 'pino';
import { Metrics } from '../operations/metrics.service.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { SourceWatch } from './source-watch.js';

const failure = (kind: UnavailableKind): Promise<never> =>
  Promise.reject(new NodeUnavailableError('node', kind, 'no answer'));

describe('SourceWatch', () => {
  let said: string[];
  let obstacles: Obstacles;
  let watch: SourceWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    obstacles = new Obstacles();
    const lines = { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) };
    watch = new SourceWatch(pino({ base: undefined }, lines), new Metrics(), obstacles);
  });

  afterEach(() => jest.useRealTimers());

  it('passes answers on and logs nothing', async () => {
    expect(await watch.answerOf(Promise.resolve(7))).toBe(7);
    expect(said).toEqual([]);
  });

  it('logs once that the source is away and once that it is back, and reports it meanwhile', async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(await watch.answerOf(failure('refused'))).toBeNull();
    expect(obstacles.current).toEqual(['source: no answer']);
    await watch.answerOf(Promise.resolve(7));
    expect(obstacles.current).toEqual([]);
    expect(said).toEqual(['the source does not answer; trying again', 'the source answers again']);
  });

  it('reports no obstacle if the node only grants no more requests', async () => {
    await watch.answerOf(failure('rate-limited'));
    expect(said).toEqual(['the source does not answer; trying again']);
    expect(obstacles.current).toEqual([]);
  });

  it('logs within five seconds that an answer is late', async () => {
    const hanging = watch.answerOf(new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(said).toEqual(['the source has not answered yet; waiting']);
    void hanging;
  });

  it('still reports a source that was away and hangs at the next request', async () => {
    await watch.answerOf(failure('timeout'));
    void watch.answerOf(new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(obstacles.current).toEqual(['source: no answer']);
    expect(said).toEqual(['the source does not answer; trying again']);
  });
});
