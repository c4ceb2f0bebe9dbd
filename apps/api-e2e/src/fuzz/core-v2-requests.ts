import type { CoreV2Document, CoreV2Operation, SeededRandom } from '@roundhouse/testing';
import * as chain from '../support/hand-made-chain.js';
import type { ModelledRequest } from './modelled-request.js';
import { headerOf, type RawResponse } from './raw-response.js';
import { BODIES, IDLE_HEADERS } from './oddities.js';

/** What a segment of a path, or a parameter, may be. */
const VALUES = [
  '',
  '0',
  '1',
  '2',
  '007',
  '130',
  '131',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '%2B5',
  '%20',
  'true',
  'FALSE',
  'null',
  'NaN',
  'Infinity',
  '9'.repeat(11),
  '9'.repeat(20),
  '9'.repeat(400),
  '9007199254740993',
  '-0',
  '1,2',
  ',',
  ',,',
  '%00',
  '%25',
  '%',
  '_',
  '%5C',
  '%C4%B0',
  '%E2%84%AA',
  '%F0%9F%98%80',
  '%22',
  "'",
  '[]',
  '{}',
  '{"a":1}',
  '+a',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '.',
  '*',
  'a.b',
  'genesis_1',
  'top',
  'first',
  'unconfirmed',
  chain.publicKey(1),
  chain.publicKey(1).toUpperCase(),
  chain.address(20),
  chain.blockId(7),
  'ab'.repeat(32),
  'height:asc',
  'height:desc',
  'balance',
  'attributes.delegate:asc',
  'asset:desc',
  'x:asc',
  ':',
  'a:b:c',
  'rank:',
  'x'.repeat(257),
  '127.0.0.1',
  '::1',
  '*.1',
  '>=3',
  '~3.9',
  '1'.repeat(65),
];

const NAMES = [
  'limit',
  'page',
  'offset',
  'orderBy',
  'transform',
  'x',
  '__proto__',
  'constructor',
  'constructor.prototype',
  'attributes.delegate.rank',
  'attributes.*.x',
  'attributes.__proto__.x',
  'attributes.htlc.locks.*.amount',
  'asset.votes',
  'asset.payments.amount',
  'asset.a.b.c',
  'blocks.last.height.from',
  'a.b.c.d.e.f',
  '.',
  'x.',
  '.x',
  'height.from',
  'amount.to',
  'balance.from',
  'votes.to',
  'id',
  'type',
  'version',
  'days',
  'ip',
  '%FF',
  '%zz',
];

const WAYS: readonly (readonly [prefix: string, headers: readonly (readonly [string, string])[]])[] = [
  ['/api/v2', []],
  ['/api/v2', [['API-Version', '1']]],
  ['/api', [['API-Version', '2']]],
  ['/api', [['Accept', 'application/vnd.core-api.v2+json']]],
];

export interface CoreV2Request extends Omit<ModelledRequest, 'statuses'> {
  readonly operation: CoreV2Operation;
}

/** A request that a program for nodes might send, and many that none would. */
export const coreV2Request = (random: SeededRandom, { operations }: CoreV2Document): CoreV2Request => {
  const operation = random.pick(operations);
  const { path, parameters } = operation;
  const [prefix, ofWay] = random.pick(WAYS);
  const names = [...parameters.map(({ name }) => name), ...NAMES];
  const place = path
    .replace('/api/v2', '')
    .replace(/\{\w+\}/g, () => random.pick(VALUES).replaceAll('/', ''));
  const query = Array.from({ length: random.below(4) }, () => `${random.pick(names)}=${random.pick(VALUES)}`);
  const end = random.chance(0.05) ? random.pick(['/', '//', '/x', '%2F', ';a', '#x']) : '';
  const headers = [...ofWay];
  if (random.chance(0.2))
    headers.push(random.pick(IDLE_HEADERS.filter(([name]) => !/^(Accept|Host)$/.test(name))));
  if (random.chance(0.05))
    headers.push(['Range', random.pick(['bytes=0-9', 'bytes=-0', 'bytes=9-', 'bytes=x'])]);
  const method = random.chance(0.85)
    ? operation.method.toUpperCase()
    : random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']);
  const isPosted = method === 'POST' && !headers.some(([name]) => name === 'Content-Type');
  if (isPosted)
    headers.push(['Content-Type', random.pick(['application/json', 'text/plain', 'a', 'text/x; y'])]);
  const ids = JSON.stringify({ ids: [random.pick(VALUES), 'ab'.repeat(32)] });
  const body = isPosted ? random.pick([...BODIES, ids, '{"ids":[]}', '{"ids":{"0":1}}']) : '';
  const target = `${prefix}${place}${end}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return { operation, method, target, headers, body };
};

/** What is wrong with the answer, beyond what is wrong with any. */
export const faultsOfCoreV2 = (
  { operation, method, target }: CoreV2Request,
  response: RawResponse,
  document: CoreV2Document,
): string[] => {
  const { status, body } = response;
  const isBare = body.length === 0 || headerOf(response, 'content-encoding') !== undefined;
  if (method === 'HEAD' || method === 'OPTIONS' || status === 206 || isBare) return [];
  if (status >= 400) {
    const { statusCode, error, message, ...others } = JSON.parse(body.toString()) as Record<string, unknown>;
    // A refused post also names what it refuses.
    const isWhole = ['', ...(method === 'POST' ? ['data,errors'] : [])].includes(Object.keys(others).join());
    const isShape = statusCode === status && typeof error === 'string' && typeof message === 'string';
    return isShape && isWhole ? [] : [`not the shape of an error: ${body.toString()}`];
  }
  // Dots in a path, or a name in place of an id, lead to another route.
  const [place = ''] = new URL(target.replace(/^\/api(?:\/v2)?/, ''), 'http://x').pathname.split('?');
  const found = document.find(operation.method, place.replace(/^\/|\/$/g, ''));
  return found ? document.faultsOf(found, status, body.toString()) : [];
};
