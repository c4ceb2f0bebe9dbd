import { jest } from '@jest/globals';
import { pino } from 'pino';
import { Deliveries } from './deliveries.service.js';

const NOTHING = { rows: [] };

/** Rows that say that something waits, and a queue that answers when the test says so. */
const standIns = () => {
  const looked = jest.fn(async () => ({ rows: [{ id: 'a' }, { id: 'b' }] }));
  const posted: string[] = [];
  const client = { query: jest.fn(async () => NOTHING), release: () => undefined };
  const pool = {
    connect: jest.fn(async () => client),
    // Only what is due is asked for without values.
    query: async (_text: string, values?: readonly string[]) => {
      if (values === undefined) return looked();
      posted.push(values[0]!);
      return NOTHING;
    },
  };
  const queues = { deliver: jest.fn((_id: string) => Promise.resolve()) };
  const runner = { onNews: (): void => undefined };
  const settings = { CORE_WEBHOOKS_QUEUE: 10 };
  const others = [settings, pino({ level: 'silent' }), queues, runner, {}] as const;
  const deliveries = new Deliveries(
    ...([pool, ...others] as unknown as ConstructorParameters<typeof Deliveries>),
  );
  return { deliveries, looked, pool, posted, queues, runner };
};

describe('the deliveries', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('go on without the queues while these do not answer, and ask them once', async () => {
    const { deliveries, pool, posted, queues } = standIns();
    queues.deliver.mockImplementation(() => new Promise(() => undefined));
    deliveries.lead();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(posted).toEqual(expect.arrayContaining(['a', 'b']));
    expect(pool.connect).toHaveBeenCalled();
    expect(queues.deliver.mock.calls).toEqual([['a'], ['b']]);
    const resigned = deliveries.resign();
    await jest.advanceTimersByTimeAsync(10_000);
    await resigned;
  });

  it('ask again as soon as the queues have answered', async () => {
    const { deliveries, queues } = standIns();
    deliveries.lead();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(queues.deliver.mock.calls.map(([id]) => id)).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    await deliveries.resign();
  });

  it('look once more after a look, however often they were asked to meanwhile', async () => {
    const { deliveries, looked, runner } = standIns();
    let answer = (): void => undefined;
    looked.mockImplementationOnce(
      () => new Promise((resolve) => void (answer = () => resolve({ rows: [] }))),
    );
    deliveries.lead();
    for (let block = 0; block < 100; block += 1) runner.onNews();
    await jest.advanceTimersByTimeAsync(5_500);
    expect(looked).toHaveBeenCalledTimes(1);
    answer();
    await jest.advanceTimersByTimeAsync(100);
    expect(looked).toHaveBeenCalledTimes(2);
    runner.onNews();
    await jest.advanceTimersByTimeAsync(100);
    expect(looked).toHaveBeenCalledTimes(3);
    await deliveries.resign();
  });
});
