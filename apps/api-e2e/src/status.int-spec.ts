import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { EventClient, randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import * as chain from './support/hand-made-chain.js';
import { getError, getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';
import { moveHead } from './support/move-head.js';

type Json = Record<string, unknown>;

interface Listed {
  readonly rank: number | null;
  readonly username: string;
  readonly isActive: boolean;
  readonly isResigned: boolean;
}

interface Answer {
  readonly height: number;
  readonly id: string;
  readonly count: number;
  readonly delegates: readonly Listed[];
}

const BY_RANK = ['Genesis%2', 'genesis_1', 'a\\b', '1', 'ünïted', 'ÜNÏTED', 'new', 'genesis1'];

let served: ServedChain;
beforeAll(async () => {
  served = await serveChain();
});
afterAll(() => served.stop());

describe('/delegates.json of the hand-made chain', () => {
  const list = async (query: string): Promise<Answer> =>
    JSON.parse((await getText(served.api.url, `/delegates.json?${query}`)).text) as Answer;

  const names = async (query: string): Promise<string[]> =>
    (await list(query)).delegates.map(({ username }) => username);

  it('lists all by live rank, names the head, and marks who is active and who has resigned', async () => {
    const { height, id, count, delegates } = await list('');
    expect([height, id, count]).toEqual([130, chain.blockId(130), 8]);
    expect(delegates.map(({ username }) => username)).toEqual(BY_RANK);
    expect(delegates.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(delegates.map(({ isActive }) => isActive)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(delegates.map(({ isResigned }) => isResigned).lastIndexOf(true)).toBe(7);
  });

  it('has every figure with every digit', async () => {
    const { text } = await getText(served.api.url, '/delegates.json?limit=1');
    expect(text).toBe(
      `{"height":130,"id":"${chain.blockId(130)}","count":8,"delegates":[{"rank":1,"username":"Genesis%2",` +
        `"publicKey":"${chain.publicKey(1)}","address":"${chain.address(1)}","isActive":true,"isResigned":false,` +
        `"weight":${chain.HUGE_BALANCE + 8n},"approval":6879,"producedblocks":32,"missedblocks":0,` +
        `"fees":${chain.HUGE_BALANCE},"rewards":4,"forged":${chain.HUGE_BALANCE + 4n}}],"success":true}`,
    );
  });

  it.each([
    'rank',
    'username',
    'address',
    'publicKey',
    'vote',
    'producedblocks',
    'missedblocks',
    'productivity',
    'forged',
  ])('sorts by %s like the contract, with the same rank in every order', async (column) => {
    const ranks = new Map(BY_RANK.map((username, index) => [username, index + 1]));
    for (const direction of ['asc', 'desc']) {
      const query = `orderBy=${column}:${direction}`;
      const { text } = await getText(served.api.url, `/api/delegates?limit=100&${query}`);
      const expected = (JSON.parse(text) as Answer).delegates.map(({ username }) => username);
      for (const search of ['', '&q=e']) {
        const { delegates, count } = await list(query + search);
        const found = expected.filter((name) => search === '' || name.toLowerCase().includes('e'));
        expect(delegates.map(({ username }) => username)).toEqual(found);
        expect(delegates.map(({ rank }) => rank)).toEqual(found.map((name) => ranks.get(name)));
        expect(count).toBe(found.length);
      }
      const pages = [await names(`${query}&limit=3`), await names(`${query}&limit=100&offset=3`)];
      expect(pages.flat()).toEqual(expected);
    }
  });

  it('continues ranks on further pages of a list by rank, in both directions', async () => {
    const ranks = async (query: string) => (await list(query)).delegates.map(({ rank }) => rank);
    expect(await ranks('offset=5')).toEqual([6, 7, 8]);
    expect(await ranks('offset=5&orderBy=rank:desc')).toEqual([3, 2, 1]);
  });

  it('searches like the contract, and counts the matches of all pages', async () => {
    expect([await names('q=_'), await names('q=.*')]).toEqual([['genesis_1'], []]);
    const { count, delegates } = await list('q=GEN&limit=1&offset=1');
    expect([count, delegates.map(({ username }) => username)]).toEqual([3, ['genesis_1']]);
    expect(await list('q=gen&offset=9')).toMatchObject({ count: 3, delegates: [] });
    expect(await list('offset=999999999999999&orderBy=vote:desc')).toMatchObject({ count: 8, delegates: [] });
    expect(await list('offset=999999999999999&orderBy=rank:desc')).toMatchObject({ count: 8, delegates: [] });
  });

  it('finds one delegate by its exact name or key', async () => {
    expect(await list('username=genesis_1')).toMatchObject({ count: 1, delegates: [{ rank: 2 }] });
    expect(await list(`publicKey=${chain.publicKey(7).toUpperCase()}`)).toMatchObject({
      count: 1,
      delegates: [{ rank: 8, username: 'genesis1' }],
    });
    expect(await list('username=GENESIS_1')).toMatchObject({ count: 0, delegates: [] });
    expect(await list(`publicKey=${chain.publicKey(99)}`)).toMatchObject({ count: 0, delegates: [] });
  });

  it.each(['q=a&username=b', `username=a&publicKey=${chain.publicKey(1)}`, 'q=', 'limit=101', 'orderBy=x'])(
    'refuses %s',
    async (query) => {
      expect((await getError(served.api.url, `/delegates.json?${query}`)).status).toBe(400);
    },
  );
});

describe('/status.json of the hand-made chain', () => {
  const getStatus = async (): Promise<Json> =>
    (await (await fetch(`${served.api.url}/status.json`)).json()) as Json;

  it('describes head, node and network', async () => {
    expect(await getStatus()).toMatchObject({
      height: 130,
      id: chain.blockId(130),
      timestamp: chain.HEAD_TIMESTAMP,
      sourceHeight: 130,
      lastEventId: null,
      network: {
        name: 'handmade',
        nethash: chain.NETHASH,
        token: 'HAND',
        symbol: 'H',
        explorer: 'https://explorer.example',
        version: 30,
        epoch: '2017-03-21T13:00:00.000Z',
        blocktime: 8,
        activeDelegates: 4,
        reward: 200_000_000,
      },
      success: true,
    });
  });

  it('has the delegates of the round as /delegates.json has them, and keeps every digit', async () => {
    const { text } = await getText(served.api.url, '/status.json');
    const totalWeight = chain.delegates.reduce((sum, { weight }) => sum + weight, 0n);
    expect(text).toContain(`"supply":${chain.SUPPLY}`);
    const listed = (await getText(served.api.url, '/delegates.json?limit=4')).text;
    const [, delegates] = /"delegates":(\[.*?\])/.exec(listed)!;
    expect(text).toContain(`"delegateCount":8,"totalWeight":${totalWeight},"delegates":${delegates}`);
  });

  it('lists the newest twenty blocks as the contract does, with their forgers', async () => {
    const { blocks } = (await getStatus()) as { blocks: Json[] };
    const answer = await fetch(`${served.api.url}/api/blocks?limit=20`);
    const { blocks: listed } = (await answer.json()) as { blocks: Json[] };
    expect(blocks).toHaveLength(20);
    blocks.forEach(({ username, forged, ...block }, index) => {
      expect(listed[index]).toMatchObject(block);
      expect(forged).toBe((block['reward'] as number) + (block['totalFee'] as number));
      expect(username).toBe(
        chain.delegates.find(({ publicKey }) => publicKey === block['generatorPublicKey'])!.username,
      );
    });
  });

  it('lists the slots of the round: forged, missed and due', async () => {
    const { round } = (await getStatus()) as { round: Json & { slots: Json[] } };
    // Block 129 was forged in slot 128 and block 130 in slot 200, so 71 were missed; twice four are shown.
    expect(round).toMatchObject({ round: 33, firstHeight: 129, lastHeight: 132, missedSlots: 71 });
    // The delegates have slots in the order 3, 2, 1, 0; the block of slot 200 was forged by another one.
    const [three, two, one, zero] = ['1', 'a\\b', 'Genesis%2', 'genesis_1'];
    expect(round.slots.map(({ slot, state, height, username }) => [slot, state, height, username])).toEqual([
      ...[two, one, zero, three, two, one, zero].map((name, index) => [193 + index, 'missed', null, name]),
      [200, 'forged', 130, two],
      [201, 'due', null, two],
      [202, 'due', null, one],
    ]);
    const { delegates } = (await (
      await fetch(`${served.api.url}/api/delegates/getNextForgers?limit=2`)
    ).json()) as {
      delegates: string[];
    };
    expect(round.slots.slice(-2).map(({ publicKey, timestamp }) => [publicKey, timestamp])).toEqual([
      [delegates[0], 201 * 8],
      [delegates[1], 202 * 8],
    ]);
  });

  it('lists the rounds that ended, oldest first', async () => {
    const { rounds } = (await getStatus()) as { rounds: Json[] };
    expect(rounds).toHaveLength(20);
    expect(rounds[0]).toMatchObject({ round: 13 });
    expect(rounds.at(-1)).toEqual({
      round: 32,
      firstHeight: 125,
      lastHeight: 128,
      blocks: 4,
      seconds: 32,
      missedSlots: 0,
    });
  });

  it("follows the node's height without reading the tables again, and follows the head", async () => {
    await served.database.query('UPDATE source_status SET height = 137');
    const until = performance.now() + 5000;
    while ((await getStatus())['sourceHeight'] !== 137) expect(performance.now()).toBeLessThan(until);
    await moveHead(served.database, 131, '17', true);
    let status: Json;
    do status = await getStatus();
    while (status['height'] !== 131 && performance.now() < until);
    expect(status).toMatchObject({ height: 131, id: '17', sourceHeight: 137 });
    expect((status['blocks'] as Json[])[0]).toMatchObject({ height: 131, id: '17' });
  });
});

describe('/status.json of a chain as the indexer writes it', () => {
  const { network, blocks } = randomChain({ seed: 23, blocks: 60 });
  let index: GrowingIndex;
  let api: RunningApi;
  beforeAll(async () => {
    index = await GrowingIndex.create(network);
    api = await startApi(index.url);
  });
  afterAll(async () => {
    await api.close();
    await index.close();
  });

  it('agrees with the index at every height, and names the event from which to listen', async () => {
    const unready = await getError(api.url, '/status.json');
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '1']);
    for (let height = 1; height <= 40; height += 1) {
      await index.apply(blocks.slice(height - 1, height));
      const until = performance.now() + 5000;
      let status: Json & { round: Json & { slots: Json[] } };
      do status = (await (await fetch(`${api.url}/status.json`)).json()) as typeof status;
      while (status['height'] !== height && performance.now() < until);
      const { round } = status;
      const first = round['firstHeight'] as number;
      const forged = round.slots.filter(({ state }) => state === 'forged');
      if (height >= first) expect(forged.at(-1)).toMatchObject({ height });
      else expect([first, round['missedSlots']]).toEqual([height + 1, 0]);
      expect(forged.map((slot) => slot['height'])).toEqual(
        blocks
          .slice(first - 1, height)
          .map((block) => block.height)
          .slice(-forged.length),
      );
      for (const slot of forged) {
        const block = blocks[(slot['height'] as number) - 1]!;
        expect(slot['publicKey']).toBe(block.generatorPublicKey);
        const [next] = round.slots.filter((other) => other['slot'] === (slot['slot'] as number) + 1);
        expect(slot['timestamp']).toBeLessThanOrEqual(block.timestamp);
        if (next) expect(next['timestamp']).toBeGreaterThan(block.timestamp);
      }
      expect(round.slots.filter(({ state }) => state === 'due')).toHaveLength(
        (round['lastHeight'] as number) - height,
      );
    }
    const status = (await (await fetch(`${api.url}/status.json`)).json()) as Json;
    const client = await EventClient.open(`${api.url}/events?lastEventId=${String(status['lastEventId'])}`);
    const { rows } = await index.query<{ id: string }>('SELECT max(sequence) AS id FROM events');
    expect(status['lastEventId']).toBe(rows[0]!.id);
    client.close();
  });
});
