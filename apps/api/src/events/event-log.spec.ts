import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import type { ChainEvent, EventsReader } from '@roundhouse/readers';
import type { ChainTracker } from '../chain/chain-tracker.service.js';
import { EventLog } from './event-log.service.js';

/** The table, and a tracker that triggers its reading. */
class Told {
  stored: ChainEvent[] = [];
  failures = 0;
  readings = 0;
  /** The newest head that the tracker has read. */
  served = 0;
  readonly warnings: string[] = [];
  private tell: () => void = () => undefined;

  readonly tracker = {
    onNewBasis: (listener: () => void) => (this.tell = listener),
    refresh: async () => {
      await nextTurn();
      this.served = Number(this.stored.at(-1)?.sequence ?? 0n);
    },
  } as unknown as ChainTracker;

  readonly reader = {
    listEventsFrom: (sequence: bigint) => {
      this.readings += 1;
      if (this.failures > 0) {
        this.failures -= 1;
        return Promise.reject(new Error('away'));
      }
      return Promise.resolve(this.stored.filter((event) => event.sequence >= sequence));
    },
  } as unknown as EventsReader;

  readonly logger = pino(
    {},
    { write: (line) => void this.warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );

  store(sequence: number, kind: ChainEvent['kind'] = 'head', data = `{"height":${sequence}}`): void {
    this.stored.push({ sequence: BigInt(sequence), kind, data });
  }

  async move(): Promise<void> {
    this.tell();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }
}

const RESET = 'event: reset\ndata: {"commonHeight":0}\n\n';
const head = (id: number): string => `id: ${id}\nevent: head\ndata: {"height":${id}}\n\n`;

describe('the log of events', () => {
  let told: Told;
  let log: EventLog;
  let news: string[];
  beforeEach(() => {
    told = new Told();
    log = new EventLog(told.tracker, told.reader, told.logger);
    news = [];
    log.onNews = (text) => news.push(text);
  });

  it('reads new events once per head', async () => {
    await told.move();
    told.store(1);
    expect([told.readings, news]).toEqual([1, []]);
    await told.move();
    told.store(2);
    told.store(3);
    await told.move();
    expect(news).toEqual([head(1), head(2) + head(3)]);
  });

  it('tells no head that is not served yet, as one that was written after the tracker read its own', async () => {
    told.store(1);
    log.onNews = (text) => news.push(`${told.served} ${text}`);
    await told.move();
    told.store(2);
    await told.move();
    told.stored = [];
    told.store(7);
    await told.move();
    expect(news).toEqual([`1 ${head(1)}`, `2 ${head(2)}`, `7 ${RESET}${head(7)}`]);
  });

  /** What a client with this id finally gets. */
  const resume = (id: bigint): string[] => {
    const sent: string[] = [];
    const ask = (): void => {
      if (sent.length > 0) return;
      const missed = log.since(id);
      if (missed !== null) sent.push(missed);
    };
    const { onNews } = log;
    log.onNews = (text) => {
      onNews(text);
      ask();
    };
    ask();
    return sent;
  };

  /** With a clock that moves only on demand, by whole seconds. */
  const withSeconds = async (act: (pass: (seconds: number) => Promise<void>) => Promise<void>) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      await act(async (seconds) => {
        for (let second = 0; second < seconds; second += 1) {
          jest.advanceTimersByTime(1000);
          await told.settle();
        }
      });
    } finally {
      jest.useRealTimers();
      log.onApplicationShutdown();
    }
  };

  it('resets all clients whose ids do not appear, as after the restore of a backup', () =>
    withSeconds(async (pass) => {
      told.store(1);
      await told.move();
      const sent = resume(400n);
      const other = resume(500n);
      await told.settle();
      await pass(4);
      expect([sent, other]).toEqual([[], []]);
      const before = told.readings;
      await pass(3);
      expect([sent, other]).toEqual([[RESET + head(1)], [RESET + head(1)]]);
      // From now on, the tables are no longer read.
      const after = told.readings;
      expect(after - before).toBeLessThanOrEqual(2);
      await pass(3);
      expect(told.readings).toBe(after);
      expect(news.filter((text) => text !== '')).toEqual([head(1)]);
    }));

  it('waits for an id that comes late, even if the tables cannot be read meanwhile', () =>
    withSeconds(async (pass) => {
      told.store(1);
      await told.move();
      told.failures = 1;
      const sent = resume(2n);
      await told.settle();
      await pass(2);
      expect(sent).toEqual([]);
      told.store(2);
      await pass(1);
      expect(sent).toEqual(['']);
    }));

  it('resets a client that missed more than is worth sending', async () => {
    told.store(1);
    for (let sequence = 2; sequence <= 70; sequence += 1)
      told.store(sequence, 'round', JSON.stringify('x'.repeat(4000)));
    told.store(71);
    await told.move();
    expect(log.since(1n)).toBe(RESET + head(71));
    expect(log.since(10n)!.length).toBeGreaterThan(200_000);
  });

  it('keeps the newest five hundred', async () => {
    for (let sequence = 1; sequence <= 501; sequence += 1) told.store(sequence);
    await told.move();
    expect(log.since(1n)).toBe(RESET + head(501));
    expect(log.since(2n)).not.toContain('reset');
  });

  it('logs once that it cannot read, and retries until it can', () =>
    withSeconds(async (pass) => {
      told.store(1);
      told.failures = 2;
      await told.move();
      expect(news).toEqual([]);
      await pass(2);
      expect(news).toEqual([head(1)]);
      expect(told.warnings).toEqual(['events cannot be read']);
    }));
});
