import { describeContract, type ContractCase } from './support/contract.js';
import { expectedDelegate, expectedFoundDelegate, json } from './support/expected.js';
import { address, HUGE_BALANCE, publicKey } from './support/hand-made-chain.js';

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
  { name: 'as many as are active, by rank', request: '/api/delegates', response: listed(1, 0, 2, 3) },
  { name: 'a page', request: '/api/delegates?limit=2&offset=6', response: listed(6, 7) },
  { name: 'past the end', request: '/api/delegates?offset=8', response: listed() },
  { name: 'far past the end', request: '/api/delegates?offset=999999999999999', response: listed() },
  ...ORDERS.map(([orderBy, indexes]) => ({
    name: 'in order',
    request: `/api/delegates?${ALL}&orderBy=${orderBy}`,
    response: listed(...indexes),
  })),
  ...['', 'name', 'rank:', 'rank:up', ':', '0', '5', 'rank:asc:asc', 'Rank', 'rank%20'].map((orderBy) => ({
    name: 'the error lists what is allowed',
    request: `/api/delegates?orderBy=${orderBy}`,
    response: { status: 400, error: /rank, username, address.*:asc or :desc/ },
  })),
  {
    name: 'at most 100',
    request: '/api/delegates?limit=101',
    response: { status: 400, error: /at most 100/ },
  },
  { name: 'at least 1', request: '/api/delegates?limit=0', response: { status: 400, error: /at least 1/ } },
  { name: 'no number', request: '/api/delegates?offset=x', response: { status: 400, error: /"offset"/ } },
  {
    name: 'a repeated parameter',
    request: '/api/delegates?orderBy=rank&orderBy=vote',
    response: { status: 400, error: /more than once/ },
  },
  {
    name: 'resigned ones count',
    request: '/api/delegates/count',
    response: '{"count":8,"success":true}',
  },
  {
    name: 'the fee, and the delegate that registered last: the one with the largest number',
    request: '/api/delegates/fee',
    response: json({ fee: 2_500_000_000, delegate: expectedDelegate(6), success: true }),
  },
];

const ONE: ContractCase[] = [
  { name: 'by key', request: `/api/delegates/get?publicKey=${publicKey(10 - 9)}`, response: listed(1) },
  { name: 'by name', request: '/api/delegates/get?username=genesis_1', response: listed(0) },
  { name: 'a name that is a number', request: '/api/delegates/get?username=1', response: listed(3) },
  {
    name: 'a name beyond ASCII',
    request: '/api/delegates/get?username=%C3%BCn%C3%AFted',
    response: listed(4),
  },
  {
    name: 'both, by rank',
    request: `/api/delegates/get?publicKey=${publicKey(2)}&username=Genesis%252`,
    response: listed(1, 2),
  },
  {
    name: 'both naming one delegate',
    request: `/api/delegates/get?publicKey=${publicKey(7)}&username=genesis1`,
    response: listed(7),
  },
  {
    name: 'one of two matches',
    request: `/api/delegates/get?publicKey=${publicKey(99)}&username=new`,
    response: listed(6),
  },
  {
    name: 'upper-case hexadecimal',
    request: `/api/delegates/get?publicKey=${publicKey(1).toUpperCase()}`,
    response: listed(1),
  },
  {
    name: 'names are matched exactly',
    request: '/api/delegates/get?username=GENESIS_1',
    response: { status: 404, error: /no delegate/ },
  },
  {
    name: 'neither is given',
    request: '/api/delegates/get?name=new',
    response: { status: 400, error: /"publicKey" and "username"/ },
  },
  {
    name: 'a malformed one beside a good one',
    request: '/api/delegates/get?username=new&publicKey=02',
    response: { status: 400, error: /public key/ },
  },
  {
    name: '21 characters',
    request: `/api/delegates/get?username=${'a'.repeat(21)}`,
    response: { status: 400, error: /1 to 20/ },
  },
  { name: 'empty', request: '/api/delegates/get?username=', response: { status: 400, error: /1 to 20/ } },
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

const VOTERS: ContractCase[] = [
  {
    name: 'all, by balance without what is locked, then by address',
    request: `/api/delegates/voters?publicKey=${publicKey(1)}`,
    response: voters(VOTERS_OF_1),
  },
  {
    name: 'a page',
    request: `/api/delegates/voters?publicKey=${publicKey(1)}&limit=2&offset=1`,
    response: voters(VOTERS_OF_1.slice(1, 3)),
  },
  {
    name: 'a limit above all others',
    request: `/api/delegates/voters?publicKey=${publicKey(1)}&limit=999999999999999`,
    response: voters(VOTERS_OF_1),
  },
  {
    name: 'past the end',
    request: `/api/delegates/voters?publicKey=${publicKey(1)}&offset=5`,
    response: voters([]),
  },
  { name: 'nobody', request: `/api/delegates/voters?publicKey=${publicKey(6)}`, response: voters([]) },
  {
    name: 'at least 1',
    request: `/api/delegates/voters?publicKey=${publicKey(1)}&limit=0`,
    response: { status: 400, error: /at least 1/ },
  },
];

const FORGED: ContractCase[] = [
  {
    name: 'the sum is exact',
    request: `/api/delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey(1)}`,
    response: `{"fees":${HUGE_BALANCE},"rewards":4,"forged":${HUGE_BALANCE + 4n},"success":true}`,
  },
  {
    name: 'nothing yet',
    request: `/api/delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey(6)}`,
    response: '{"fees":0,"rewards":0,"forged":0,"success":true}',
  },
];

/** All endpoints that find a delegate by its key answer in the same way. */
const BY_KEY: ContractCase[] = [
  '/api/delegates/get?publicKey=',
  '/api/delegates/voters?publicKey=',
  '/api/delegates/forging/getForgedByAccount?generatorPublicKey=',
].flatMap((request) => [
  {
    name: 'a key that belongs to no delegate',
    request: `${request}${publicKey(20)}`,
    response: { status: 404, error: /no delegate/ },
  },
  ...['', '02', `04${publicKey(1).slice(2)}`, `${publicKey(1)}0`, 'zz'.repeat(33), `%20${publicKey(1)}`].map(
    (key) => ({
      name: 'not a public key',
      request: `${request}${key}`,
      response: { status: 400, error: /public key/ },
    }),
  ),
  {
    name: 'a key given twice',
    request: `${request}${publicKey(1)}&${request.split('?')[1]}${publicKey(1)}`,
    response: { status: 400, error: /more than once/ },
  },
  { name: 'no key at all', request: request.split('?')[0]!, response: { status: 400, error: /required/ } },
]);

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

const SEARCH: ContractCase[] = [
  ...SEARCHES.map(([name, q, indexes]) => ({
    name,
    request: `/api/delegates/search?q=${q}`,
    response: found(...indexes),
  })),
  { name: 'a page', request: '/api/delegates/search?q=gen&limit=1&offset=1', response: found(7) },
  {
    name: '20 characters outside the basic plane',
    request: `/api/delegates/search?q=${encodeURIComponent('😀'.repeat(20))}`,
    response: found(),
  },
  {
    name: '21 characters',
    request: `/api/delegates/search?q=${encodeURIComponent('😀'.repeat(21))}`,
    response: { status: 400, error: /1 to 20/ },
  },
  { name: 'empty', request: '/api/delegates/search?q=', response: { status: 400, error: /1 to 20/ } },
  { name: 'missing', request: '/api/delegates/search', response: { status: 400, error: /"q" is required/ } },
  {
    name: 'at most 100',
    request: '/api/delegates/search?q=a&limit=101',
    response: { status: 400, error: /at most 100/ },
  },
  {
    name: 'given twice',
    request: '/api/delegates/search?q=a&q=b',
    response: { status: 400, error: /more than once/ },
  },
];

describeContract('delegates', [...LISTS, ...ONE, ...VOTERS, ...FORGED, ...BY_KEY, ...SEARCH]);
