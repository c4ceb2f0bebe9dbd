import { bytesOf, delegates, head } from '@roundhouse/entities/tables';
import { forgerKeys, SELECT_BLOCKS, selectFrom } from '@roundhouse/storage';
import type { Parameters } from './parameters.js';

/** A bare query that returns the same rows as a route. */
export interface BareQuery {
  readonly text: string;
  /** The parameters of the n-th request. */
  readonly values: (n: number, parameters: Parameters) => readonly unknown[];
}

export interface HotRoute {
  readonly name: string;
  /** The path of the n-th request, with another valid parameter each time if the route has one. */
  readonly path: (n: number, parameters: Parameters) => string;
}

export interface Route extends HotRoute {
  readonly query: BareQuery;
}

const at = (values: readonly string[], n: number): string => values[n % values.length]!;

const plain = (path: string, text: string): Route => ({
  name: path,
  path: () => path,
  query: { text, values: () => [] },
});

const HEAD = selectFrom(head);
const NETWORK = 'SELECT * FROM network';
const NEWEST_DELEGATE = `${selectFrom(delegates)} ORDER BY number DESC LIMIT 1`;
const NEXT_ROUND = `SELECT ${forgerKeys('forging_order')} AS forging_order FROM rounds WHERE first_height <= (SELECT height + 1 FROM head) ORDER BY first_height DESC LIMIT 1`;
const PAGE = 100;
/** A large prime, so that successive pages lie far apart. */
const STRIDE = 7_919;

const offsetOf = (n: number, { height }: Parameters): number => (n * STRIDE) % Math.max(height - PAGE, 1);

const byKey = (name: string, parameter: string, text: string): Route => ({
  name,
  path: (n, { publicKeys }) => `${name}?${parameter}=${at(publicKeys, n)}`,
  query: { text, values: (n, { publicKeys }) => [bytesOf('hex', at(publicKeys, n))] },
});

/** Every endpoint of the contract. */
export const ROUTES: readonly Route[] = [
  plain('/api/signatures/fee', NETWORK),
  plain('/api/loader/autoconfigure', NETWORK),
  plain('/api/loader/status', HEAD),
  plain('/api/loader/status/sync', HEAD),
  {
    name: '/api/blocks',
    path: (n, parameters) => `/api/blocks?limit=${PAGE}&offset=${offsetOf(n, parameters)}`,
    query: {
      text: `${SELECT_BLOCKS} WHERE height > $1 AND height <= $2 ORDER BY height DESC`,
      values: (n, parameters) => {
        const top = parameters.height - offsetOf(n, parameters);
        return [top - PAGE, top];
      },
    },
  },
  {
    name: '/api/blocks/get',
    path: (n, { blockIds }) => `/api/blocks/get?id=${at(blockIds, n)}`,
    query: {
      text: `${SELECT_BLOCKS} WHERE id = $1`,
      values: (n, { blockIds }) => [bytesOf('block id', at(blockIds, n))],
    },
  },
  plain('/api/blocks/getFees', HEAD),
  plain('/api/blocks/getFee', HEAD),
  plain('/api/blocks/getEpoch', NETWORK),
  plain('/api/blocks/getHeight', HEAD),
  plain('/api/blocks/getMilestone', HEAD),
  plain('/api/blocks/getNethash', NETWORK),
  plain('/api/blocks/getReward', HEAD),
  plain('/api/blocks/getStatus', HEAD),
  plain('/api/blocks/getSupply', HEAD),
  {
    name: '/api/delegates',
    path: (n) => `/api/delegates?limit=51&offset=${n % 250}`,
    query: {
      text: `${selectFrom(delegates)} ORDER BY is_resigned, weight DESC, public_key LIMIT 51 OFFSET $1`,
      values: (n) => [n % 250],
    },
  },
  byKey(
    '/api/delegates/voters',
    'publicKey',
    `SELECT delegates.username, address, encode(accounts.public_key, 'hex') AS public_key, balance FROM accounts LEFT JOIN delegates USING (address)
     WHERE accounts.vote = $1 ORDER BY accounts.balance DESC, accounts.address`,
  ),
  byKey('/api/delegates/get', 'publicKey', `${selectFrom(delegates)} WHERE public_key = $1`),
  plain('/api/delegates/fee', NEWEST_DELEGATE),
  plain('/api/delegates/count', 'SELECT count(*) FROM delegates'),
  byKey(
    '/api/delegates/forging/getForgedByAccount',
    'generatorPublicKey',
    'SELECT forged_fees, forged_rewards FROM delegates WHERE public_key = $1',
  ),
  {
    name: '/api/delegates/search',
    path: (n, { usernames }) => `/api/delegates/search?q=${encodeURIComponent(at(usernames, n))}`,
    query: {
      text: `${selectFrom(delegates)} WHERE strpos(lower(username), lower($1)) > 0 ORDER BY username LIMIT 100`,
      values: (n, { usernames }) => [at(usernames, n)],
    },
  },
  plain('/api/delegates/getNextForgers', NEXT_ROUND),
];

/** Some routes of the dialect: a ready answer costs the same for all of them. */
export const DIALECT_ROUTES: readonly HotRoute[] = [
  '/api/v1/blocks/getHeight',
  '/api/v1/blocks',
  '/api/v1/delegates',
  '/api/v1/transactions?limit=10',
].map((path) => ({ name: path, path: () => path }));
