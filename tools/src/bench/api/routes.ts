import { bytesOf, delegates, head } from '@roundhouse/entities/tables';
import { forgerKeys, SELECT_BLOCKS, selectFrom } from '@roundhouse/entities/sql';
import type { Parameters } from './parameters.js';

export interface HotRoute {
  readonly name: string;
  /** The path of the n-th request, with another valid parameter each time if the route has one. */
  readonly path: (n: number, parameters: Parameters) => string;
}

export interface Route extends HotRoute {
  /** A bare query that returns the same rows. */
  readonly text: string;
  /** Its parameters in the n-th request. */
  readonly values: (n: number, parameters: Parameters) => readonly unknown[];
}

/** The n-th request: the query of its URL, and the parameters of the bare query. */
type Draw = (n: number, parameters: Parameters) => readonly [query: string, values: readonly unknown[]];

const route = (name: string, text: string, draw: Draw = () => ['', []]): Route => ({
  name,
  path: (n, parameters) => `${name}?${draw(n, parameters)[0]}`.replace(/\?$/, ''),
  text,
  values: (n, parameters) => draw(n, parameters)[1],
});

const at = (values: readonly string[], n: number): string => values[n % values.length]!;

const byKey = (name: string, parameter: string, text: string): Route =>
  route(name, text, (n, { publicKeys }) => {
    const key = at(publicKeys, n);
    return [`${parameter}=${key}`, [bytesOf('hex', key)]];
  });

const HEAD = selectFrom(head);
const NETWORK = 'SELECT * FROM network';
const DELEGATES = selectFrom(delegates);
const NEXT_ROUND = `SELECT ${forgerKeys('forging_order')} AS forging_order FROM rounds WHERE first_height <= (SELECT height + 1 FROM head) ORDER BY first_height DESC LIMIT 1`;
const VOTERS = `SELECT delegates.username, address, encode(accounts.public_key, 'hex') AS public_key, balance FROM accounts LEFT JOIN delegates USING (address)
 WHERE accounts.vote = $1 ORDER BY accounts.balance DESC, accounts.address`;
const SEARCH = `${DELEGATES} WHERE strpos(lower(username), lower($1)) > 0 ORDER BY username LIMIT 100`;
const FORGED = 'SELECT forged_fees, forged_rewards FROM delegates WHERE public_key = $1';
const PAGE = 100;
/** A large prime, so that successive pages lie far apart. */
const STRIDE = 7_919;

/** Every endpoint of the contract. */
export const ROUTES: readonly Route[] = [
  route('/api/signatures/fee', NETWORK),
  route('/api/loader/autoconfigure', NETWORK),
  route('/api/loader/status', HEAD),
  route('/api/loader/status/sync', HEAD),
  route(
    '/api/blocks',
    `${SELECT_BLOCKS} WHERE height > $1 AND height <= $2 ORDER BY height DESC`,
    (n, { height }) => {
      const offset = (n * STRIDE) % Math.max(height - PAGE, 1);
      return [`limit=${PAGE}&offset=${offset}`, [height - offset - PAGE, height - offset]];
    },
  ),
  route('/api/blocks/get', `${SELECT_BLOCKS} WHERE id = $1`, (n, { blockIds }) => {
    const id = at(blockIds, n);
    return [`id=${id}`, [bytesOf('block id', id)]];
  }),
  route('/api/blocks/getFees', HEAD),
  route('/api/blocks/getFee', HEAD),
  route('/api/blocks/getEpoch', NETWORK),
  route('/api/blocks/getHeight', HEAD),
  route('/api/blocks/getMilestone', HEAD),
  route('/api/blocks/getNethash', NETWORK),
  route('/api/blocks/getReward', HEAD),
  route('/api/blocks/getStatus', HEAD),
  route('/api/blocks/getSupply', HEAD),
  route(
    '/api/delegates',
    `${DELEGATES} ORDER BY is_resigned, weight DESC, public_key LIMIT 51 OFFSET $1`,
    (n) => [`limit=51&offset=${n % 250}`, [n % 250]],
  ),
  byKey('/api/delegates/voters', 'publicKey', VOTERS),
  byKey('/api/delegates/get', 'publicKey', `${DELEGATES} WHERE public_key = $1`),
  route('/api/delegates/fee', `${DELEGATES} ORDER BY number DESC LIMIT 1`),
  route('/api/delegates/count', 'SELECT count(*) FROM delegates'),
  byKey('/api/delegates/forging/getForgedByAccount', 'generatorPublicKey', FORGED),
  route('/api/delegates/search', SEARCH, (n, { usernames }) => {
    const username = at(usernames, n);
    return [`q=${encodeURIComponent(username)}`, [username]];
  }),
  route('/api/delegates/getNextForgers', NEXT_ROUND),
];

const hot = (...paths: readonly string[]): readonly HotRoute[] =>
  paths.map((path) => ({ name: path, path: () => path }));

/** Some routes of Core's version 1: a ready answer costs the same for all of them. */
export const CORE_V1_ROUTES = hot(
  ...['/api/v1/blocks/getHeight', '/api/v1/blocks', '/api/v1/delegates', '/api/v1/transactions?limit=10'],
);

/** The same of version 2. */
export const CORE_V2_ROUTES = hot(
  ...['/api/v2/blocks?limit=25', '/api/v2/transactions?limit=25', '/api/v2/delegates?limit=51'],
  ...['/api/v2/wallets/genesis_1', '/api/v2/wallets/genesis_1/transactions?limit=25', '/api/v2/blockchain'],
);
