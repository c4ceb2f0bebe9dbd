import type { SeededRandom } from '@roundhouse/testing';
import * as chain from '../support/hand-made-chain.js';

/** The routes of a node, with the parameters that it reads. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  'signatures/fee': [],
  'loader/status': [],
  'loader/status/sync': [],
  'loader/autoconfigure': [],
  blocks: [
    'limit',
    'offset',
    'orderBy',
    'height',
    'generatorPublicKey',
    'previousBlock',
    'timestamp',
    'reward',
    'id',
  ],
  'blocks/get': ['id'],
  'blocks/getFees': [],
  'blocks/getStatus': [],
  delegates: ['orderBy', 'limit', 'offset'],
  'delegates/get': ['publicKey', 'username'],
  'delegates/search': ['q', 'limit', 'offset'],
  'delegates/voters': ['publicKey'],
  'delegates/count': [],
  'delegates/fee': [],
  'delegates/forging/getForgedByAccount': ['generatorPublicKey'],
  'delegates/getNextForgers': ['limit'],
  accounts: ['address'],
  'accounts/getAllAccounts': ['limit', 'offset', 'orderBy'],
  'accounts/getBalance': ['address'],
  'accounts/getPublicKey': ['address'],
  'accounts/delegates': ['address'],
  'accounts/top': ['limit', 'offset', 'orderBy'],
  'accounts/count': [],
  transactions: [
    'limit',
    'offset',
    'orderBy',
    'senderId',
    'recipientId',
    'type',
    'blockId',
    'amount',
    'timestamp',
  ],
  'transactions/get': ['id'],
  'transactions/unconfirmed': ['limit', 'offset'],
  'transactions/unconfirmed/get': ['id'],
  peers: ['port', 'status', 'os', 'version', 'orderBy', 'limit', 'offset'],
  'peers/get': ['ip', 'port'],
  'peers/version': [],
  nothing: ['limit'],
};

const VALUES = [
  '',
  '0',
  '1',
  '2',
  '05',
  '1e1',
  '0x2',
  '1.5',
  '-1',
  '%20',
  '%2B5',
  'abc',
  'true',
  'false',
  'null',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e400',
  '-0',
  '9'.repeat(20),
  '9'.repeat(400),
  '2147483648',
  '-2147483649',
  '%00',
  '%FF',
  '%',
  '%ZZ',
  '%F0%9F%98%80',
  "'",
  '%25',
  '%5C',
  'a'.repeat(21),
  '__proto__',
  'constructor',
  '[]',
  '1,2',
  'rate:asc',
  'username:desc',
  'vote:asc',
  'bogus:desc',
  ':asc',
  'asc:',
  'constructor:asc',
  'height:asc',
  'a:b:c',
  'genesis_1',
  chain.publicKey(1),
  chain.publicKey(1).toUpperCase(),
  chain.address(1),
  chain.blockId(5),
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'API-Version': '1' },
  { 'API-Version': '3' },
  { 'API-Version': 'abc' },
  { Accept: 'application/vnd.core-api.v1+json' },
  { nethash: 'x', version: '1', port: '1' },
];

export interface CoreV1Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that a program for real nodes might send, and many that none would. */
export const coreV1Request = (random: SeededRandom): CoreV1Request => {
  const route = random.pick(Object.keys(ROUTES));
  const names = [...ROUTES[route]!, 'limit', 'x'];
  const query = Array.from(
    { length: random.below(4) },
    () => `${random.chance(0.05) ? random.pick(VALUES) : random.pick(names)}=${random.pick(VALUES)}`,
  ).join('&');
  const prefix = random.pick(['/api/', '/api/v1/', '/API/', '/api/v3/', '/api//']);
  return {
    method: random.chance(0.9) ? 'GET' : random.pick(['HEAD', 'OPTIONS', 'POST', 'DELETE']),
    path: `${prefix}${route}${random.chance(0.05) ? '/' : ''}${query === '' ? '' : `?${query}`}`,
    headers: random.pick(HEADERS),
  };
};
