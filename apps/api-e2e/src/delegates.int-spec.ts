import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { bytesOf } from '@roundhouse/entities/tables';
import { startApi } from './support/api-under-test.js';
import { describeContract, expectResponse, type ContractCase } from './support/contract.js';
import { expectedDelegate, expectedFoundDelegate, json } from './support/expected.js';
import { address, blockId, HUGE_BALANCE, numbersOf, publicKey } from './support/hand-made-chain.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const listed = (...indexes: number[]): string =>
  json({ delegates: indexes.map(expectedDelegate), success: true });

const ALL = 'limit=100';

/** orderBy, and the indexes of the delegates in that order. */
const ORDERS: readonly (readonly [string, readonly number[]])[] = [
  ['rank', [1, 0, 2, 3, 4, 5, 6, 7]],
  ['rank:desc', [7, 6, 5, 4, 3, 2, 0, 1]],
  ['rate', [1, 0, 2, 3, 4, 5, 6, 7]],
  // By code point: digits, upper case, lower case, then letters beyond ASCII.
  ['username', [3, 1, 2, 7, 0, 6, 5, 4]],
  ['username:desc', [4, 5, 6, 0, 7, 2, 1, 3]],
  ['1:asc', [3, 1, 2, 7, 0, 6, 5, 4]],
  ['address', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['2:desc', [7, 6, 5, 4, 3, 2, 1, 0]],
  ['publicKey:desc', [7, 6, 5, 4, 3, 2, 1, 0]],
  ['3', [0, 1, 2, 3, 4, 5, 6, 7]],
  // By weight received. Equal weights are ordered by public key, which ascends in both orders.
  ['vote', [6, 5, 4, 2, 3, 0, 7, 1]],
  ['vote:desc', [1, 7, 0, 2, 3, 4, 5, 6]],
  ['votes', [6, 5, 4, 2, 3, 0, 7, 1]],
  ['approval:desc', [1, 7, 0, 2, 3, 4, 5, 6]],
  ['4:desc', [1, 7, 0, 2, 3, 4, 5, 6]],
  ['004', [6, 5, 4, 2, 3, 0, 7, 1]],
  ['producedblocks:desc', [1, 0, 3, 2, 7, 4, 5, 6]],
  ['missedblocks:desc', [7, 0, 3, 2, 1, 4, 5, 6]],
  // Produced blocks of all slots: 32/32, 30/40, 2/3 and 4/6 (equal), 1/64; three delegates never had a slot.
  ['productivity:desc', [1, 0, 2, 3, 7, 4, 5, 6]],
  ['productivity', [4, 5, 6, 7, 2, 3, 0, 1]],
  ['forged:desc', [1, 0, 2, 3, 4, 5, 6, 7]],
];

const LISTS: ContractCase[] = [
  ['as many as are active, by rank', '/api/delegates', listed(1, 0, 2, 3)],
  ['a page', '/api/delegates?limit=2&offset=6', listed(6, 7)],
  ['past the end', '/api/delegates?offset=8', listed()],
  ['far past the end', '/api/delegates?offset=999999999999999', listed()],
  ...ORDERS.map(([orderBy, indexes]): ContractCase => [
    'in order',
    `/api/delegates?${ALL}&orderBy=${orderBy}`,
    listed(...indexes),
  ]),
  ...[
    '',
    'name',
    'rank:',
    'rank:up',
    ':',
    ':asc',
    '0',
    '5',
    'rank:asc:asc',
    'Rank',
    'rank%20',
    'constructor',
  ].map((orderBy): ContractCase => [
    'the error lists what is allowed',
    `/api/delegates?orderBy=${orderBy}`,
    [400, /rank, username, address.*:asc or :desc/],
  ]),
  ['at most 100', '/api/delegates?limit=101', [400, /at most 100/]],
  ['at least 1', '/api/delegates?limit=0', [400, /at least 1/]],
  ['no number', '/api/delegates?offset=x', [400, /"offset"/]],
  ['a repeated parameter', '/api/delegates?orderBy=rank&orderBy=vote', [400, /more than once/]],
  ['resigned ones count', '/api/delegates/count', '{"count":8,"success":true}'],
  [
    'the fee, and the delegate that registered last: the one with the largest number',
    '/api/delegates/fee',
    json({ fee: 2_500_000_000, delegate: expectedDelegate(6), success: true }),
  ],
];

const get = (query: string): string => `/api/delegates/get?${query}`;

const ONE: ContractCase[] = [
  ['by key', get(`publicKey=${publicKey(1)}`), listed(1)],
  ['by name', get('username=genesis_1'), listed(0)],
  ['a name that is a number', get('username=1'), listed(3)],
  ['a name beyond ASCII', get('username=%C3%BCn%C3%AFted'), listed(4)],
  ['both, by rank', get(`publicKey=${publicKey(2)}&username=Genesis%252`), listed(1, 2)],
  ['both naming one delegate', get(`publicKey=${publicKey(7)}&username=genesis1`), listed(7)],
  ['one of two matches', get(`publicKey=${publicKey(99)}&username=new`), listed(6)],
  ['upper-case hexadecimal', get(`publicKey=${publicKey(10).toUpperCase()}&username=new`), listed(6)],
  ['names are matched exactly', get('username=GENESIS_1'), [404, /no delegate/]],
  ['neither is given', get('name=new'), [400, /"publicKey" and "username"/]],
  ['a malformed one beside a good one', get('username=new&publicKey=02'), [400, /public key/]],
  ['21 characters', get(`username=${'a'.repeat(21)}`), [400, /1 to 20/]],
  ['empty', get('username='), [400, /1 to 20/]],
];

const voter = (index: number, balance: bigint | number, username: string | null = null) => ({
  username,
  address: address(index),
  publicKey: publicKey(index),
  balance,
});

const VOTERS_OF_1 = [
  voter(20, HUGE_BALANCE),
  voter(0, 7, 'genesis_1'),
  voter(21, 0),
  voter(22, 0),
  voter(23, -1),
];

const voters = (accounts: readonly object[]): string => json({ accounts, success: true });

const votersOf = (index: number, more = ''): string =>
  `/api/delegates/voters?publicKey=${publicKey(index)}${more}`;

const VOTERS: ContractCase[] = [
  ['all, by balance without what is locked, then by address', votersOf(1), voters(VOTERS_OF_1)],
  ['a page', votersOf(1, '&limit=2&offset=1'), voters(VOTERS_OF_1.slice(1, 3))],
  ['a limit above all others', votersOf(1, '&limit=999999999999999'), voters(VOTERS_OF_1)],
  ['past the end', votersOf(1, '&offset=5'), voters([])],
  ['nobody', votersOf(6), voters([])],
  ['at least 1', votersOf(1, '&limit=0'), [400, /at least 1/]],
];

const FORGED = '/api/delegates/forging/getForgedByAccount?generatorPublicKey=';

const FORGED_TOTALS: ContractCase[] = [
  [
    'the sum is exact',
    FORGED + publicKey(1),
    `{"fees":${HUGE_BALANCE},"rewards":4,"forged":${HUGE_BALANCE + 4n},"success":true}`,
  ],
  ['nothing yet', FORGED + publicKey(6), '{"fees":0,"rewards":0,"forged":0,"success":true}'],
];

/** All endpoints that find a delegate by its key answer in the same way. */
const BY_KEY: ContractCase[] = [get('publicKey='), '/api/delegates/voters?publicKey=', FORGED].flatMap(
  (request): ContractCase[] => [
    ['a key that belongs to no delegate', request + publicKey(20), [404, /no delegate/]],
    ...[
      '',
      '02',
      `04${publicKey(1).slice(2)}`,
      `${publicKey(1)}0`,
      'zz'.repeat(33),
      `%20${publicKey(1)}`,
    ].map((key): ContractCase => ['not a public key', request + key, [400, /public key/]]),
    [
      'a key given twice',
      `${request}${publicKey(1)}&${request.split('?')[1]}${publicKey(1)}`,
      [400, /more than once/],
    ],
    ['no key at all', request.split('?')[0]!, [400, /required/]],
  ],
);

const found = (...indexes: number[]): string =>
  json({ success: true, delegates: indexes.map(expectedFoundDelegate) });

const SEARCHES: readonly (readonly [name: string, q: string, indexes: readonly number[]])[] = [
  ['a substring, without regard to case, by username', 'GENESIS', [1, 7, 0]],
  ['an underscore is an ordinary character', 's_', [0]],
  ['a percent sign is an ordinary character', '%25', [1]],
  ['a backslash is an ordinary character', '%5C', [2]],
  ['a number is text', '1', [3, 7, 0]],
  ['case beyond ASCII counts', '%C3%BCn', [4]],
  ['ASCII within a name beyond ASCII', 'TED', [5, 4]],
  ['nothing', 'zzz', []],
  ['leading zeros are characters', '01', []],
];

const search = (query: string): string => `/api/delegates/search?${query}`;

const SEARCH: ContractCase[] = [
  ...SEARCHES.map(([what, q, indexes]): ContractCase => [what, search(`q=${q}`), found(...indexes)]),
  ['a page', search('q=gen&limit=1&offset=1'), found(7)],
  ['20 characters outside the basic plane', search(`q=${encodeURIComponent('😀'.repeat(20))}`), found()],
  ['21 characters', search(`q=${encodeURIComponent('😀'.repeat(21))}`), [400, /1 to 20/]],
  ['empty', search('q='), [400, /1 to 20/]],
  ['missing', search(''), [400, /"q" is required/]],
  ['at most 100', search('q=a&limit=101'), [400, /at most 100/]],
  ['given twice', search('q=a&q=b'), [400, /more than once/]],
];

const nextForgers = (currentBlock: number, currentSlot: number, indexes: readonly number[]): string =>
  JSON.stringify({ currentBlock, currentSlot, delegates: indexes.map(publicKey), success: true });

const NEXT_FORGERS = '/api/delegates/getNextForgers';

const FORGERS: ContractCase[] = [
  // The head's slot is 200; its round forges in the order 3, 2, 1, 0, so slot 201 is 2's.
  ['ten by default, or as many as are active', NEXT_FORGERS, nextForgers(130, 200, [2, 1, 0, 3])],
  ['as many as requested', `${NEXT_FORGERS}?limit=3`, nextForgers(130, 200, [2, 1, 0])],
  ['at most as many as are active', `${NEXT_FORGERS}?limit=5`, [400, /at most 4/]],
  ['at least one', `${NEXT_FORGERS}?limit=0`, [400, /at least 1/]],
  ['no number', `${NEXT_FORGERS}?limit=x`, [400, /"limit"/]],
];

describeContract('delegates', [
  ...LISTS,
  ...ONE,
  ...VOTERS,
  ...FORGED_TOTALS,
  ...BY_KEY,
  ...SEARCH,
  ...FORGERS,
]);

describe('getNextForgers', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  const milestone = (text: string): string =>
    `UPDATE network SET configuration = jsonb_set(configuration, '{milestones}', configuration->'milestones' || '[${text}]'::jsonb)`;

  const [id, height] = [bytesOf('block id', blockId(132)), 132];

  // Each one changes the chain of the one before.
  it.each<[string, string, unknown[], string]>([
    [
      'of a new block time, counted piecewise',
      milestone('{ "height": 101, "blocktime": 4 }'),
      [],
      // Block 100 lies at second 792, in slot 99; from 800 (slot 100) on a slot takes 4 s: 100 + (1603 - 800) / 4.
      nextForgers(130, 300, [2, 1, 0, 3]),
    ],
    [
      "of the next round, at a round's last block",
      'WITH moved AS (UPDATE blocks SET id = $1, height = $2 WHERE height = 130) UPDATE head SET block_id = $1, height = $2',
      [id, height],
      // 301 mod 4 is 1.
      nextForgers(132, 300, [1, 2, 6, 0]),
    ],
    [
      'as many as are active in the next round',
      milestone('{ "height": 133, "activeDelegates": 5 }'),
      [],
      nextForgers(132, 300, [1, 2, 6, 0, 1]),
    ],
    [
      'in turn, in a round with fewer delegates than may be active',
      `UPDATE rounds SET forging_order = $1 WHERE round = 34`,
      [numbersOf(3, 5, 4)],
      // 301 mod 3 is 1.
      nextForgers(132, 300, [5, 4, 3, 5, 4]),
    ],
  ])('names the forgers %s', async (_, change, values, response) => {
    await served.database.query(change, values);
    const api = await startApi(served.databaseUrl);
    await expectResponse(api.url, NEXT_FORGERS, response);
    await api.close();
  });
});
