import { jest } from '@jest/globals';
import type { Client } from 'pg';
import { connectTestDatabase } from '../connected-database.harness.js';
import { resetIndex } from '../reset.js';
import { pruneEvents } from './deliveries.js';

const addWebhook = (id: string, event: string, delivered: number): string => `
INSERT INTO webhooks (id, event, target, enabled, conditions, token, token_rest, delivered, dropped, failures)
VALUES ('${id}', '${event}', 'http://127.0.0.1/', true, '[]', 'token', '', ${delivered}, 0, 0);`;

const addEvents = (event: string, from: number, to: number): string => `
INSERT INTO webhook_events (sequence, event) SELECT generate_series(${from}, ${to}), '${event}';`;

describe('pruneEvents', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ client, close } = await connectTestDatabase());
  });
  afterEach(() => close());

  const waiting = async (): Promise<number> =>
    (await client.query<{ count: number }>('SELECT count(*)::integer FROM webhook_events')).rows[0]!.count;

  const lives = async (): Promise<object[]> =>
    (await client.query<object>('SELECT id, delivered::integer, dropped::integer FROM webhooks ORDER BY id'))
      .rows;

  it('drops no event of a receiver that is down because another one is told of many', async () => {
    await client.query(addWebhook('busy', 'block.applied', 999) + addWebhook('down', 'round.created', 0));
    await client.query(addEvents('round.created', 1, 10) + addEvents('block.applied', 11, 1_000));
    expect(await pruneEvents(client, 11)).toEqual([]);
    expect(await waiting()).toBe(11);
    expect(await lives()).toEqual([
      { id: 'busy', delivered: 999, dropped: 0 },
      { id: 'down', delivered: 0, dropped: 0 },
    ]);
  });

  it('drops no event of a receiver that is down because nobody takes many of another kind', async () => {
    await client.query(addWebhook('abandoned', 'block.applied', 0) + addWebhook('down', 'round.created', 0));
    await client.query(addEvents('round.created', 1, 10) + addEvents('block.applied', 11, 2_000));
    expect(await pruneEvents(client, 1_000)).toEqual([{ id: 'abandoned', events: 990 }]);
    expect(await waiting()).toBe(1_010);
    expect(await lives()).toEqual([
      { id: 'abandoned', delivered: 1_000, dropped: 990 },
      { id: 'down', delivered: 0, dropped: 0 },
    ]);
  });

  it('counts each event that it drops, also if a block is applied meanwhile', async () => {
    await client.query(addWebhook('down', 'block.applied', 0) + addEvents('block.applied', 1, 30));
    const query = client.query.bind(client);
    jest.spyOn(client, 'query').mockImplementation((async (text: string, values?: unknown[]) => {
      const result = await query(text, values);
      // As if from another session: what is committed is seen by the next statement.
      if (text.includes('UPDATE webhooks')) await query(addEvents('block.applied', 31, 35));
      return result;
    }) as never);
    expect(await pruneEvents(client, 10)).toEqual([{ id: 'down', events: 20 }]);
    jest.restoreAllMocks();
    expect(await waiting()).toBe(15);
    expect(await lives()).toEqual([{ id: 'down', delivered: 20, dropped: 20 }]);
  });
});

describe('a reset of the index', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ client, close } = await connectTestDatabase());
  });
  afterEach(() => close());

  const told = async (): Promise<object[]> =>
    (await client.query<object>('SELECT told_nethash AS nethash, told_height AS height FROM webhooks')).rows;

  const resetAt = async (nethash: string, height: number): Promise<object[]> => {
    await client.query(`
      INSERT INTO network (name, nethash, configuration) VALUES ('chain', '${nethash}', '{}');
      INSERT INTO head (height, block_id, "timestamp", supply, delegate_count, has_history, has_details, claims_height)
      VALUES (${height}, '\\x0000000000000007', 0, 0, 0, false, true, ${height})`);
    await resetIndex(client);
    return told();
  };

  it('keeps the largest height up to which a webhook was told of the blocks of a chain', async () => {
    await client.query(addWebhook('one', 'block.applied', 5));
    expect(await resetAt('one chain', 100)).toEqual([{ nethash: 'one chain', height: 100 }]);
    expect(await resetAt('one chain', 40)).toEqual([{ nethash: 'one chain', height: 100 }]);
    expect(await resetAt('another', 30)).toEqual([{ nethash: 'another', height: 30 }]);
    await resetIndex(client);
    expect(await told()).toEqual([{ nethash: 'another', height: 30 }]);
  });
});
