import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as chain from './support/hand-made-chain.js';
import { getError, getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

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

describe('/delegates.json of the hand-made chain', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

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
      ...[true, true, true, true],
      ...[false, false, false, false],
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
    ...['rank', 'username', 'address', 'publicKey', 'vote', 'producedblocks', 'missedblocks'],
    ...['productivity', 'forged'],
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

  it('searches plain text in names, ignoring the case of ASCII letters only', async () => {
    expect(await names('q=GEN')).toEqual(['Genesis%2', 'genesis_1', 'genesis1']);
    expect(await names('q=%25')).toEqual(['Genesis%2']);
    expect(await names('q=_')).toEqual(['genesis_1']);
    expect(await names('q=.*')).toEqual([]);
    expect(await names('q=%C3%BC')).toEqual(['ünïted']);
  });

  it('counts the matches of all pages', async () => {
    const { count, delegates } = await list('q=gen&limit=1&offset=1');
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
