import { headerOf, type RawResponse } from './raw-response.js';
import { HEAD_HEIGHT } from '../support/hand-made-chain.js';

/** 308: the search of the pages has found a block, a transaction or an account, whose page is elsewhere. */
const STATUSES = new Set([200, 204, 304, 308, 400, 403, 404, 405, 408, 412, 413, 414, 416, 431]);

/** Those of a node, and of HTTP. */
const CORE_V2_STATUSES = new Set([200, 204, 206, 304, 400, 404, 413, 414, 416, 422]);

/** What reveals internals: stacks, statements, files, programs and their versions. */
const INSIDE = [
  /\bat (?:\w+\.)*<?\w+>? ?\(/,
  /node_modules|node:internal|\.(?:js|ts|mjs):\d+|\bfile:\/\//,
  /\/(?:home|root|usr|work|app|tmp|opt|var)\//,
  /\b(?:SELECT|INSERT|UPDATE|DELETE|RENAME) [\s\S]*\b(?:FROM|INTO|SET|TABLE)\b/i,
  /\b(?:postgres|typeorm|nestjs|fastify|ioredis|redis|pg_|llhttp|HPE_|FST_|ERR_|ECONN|zod)/i,
  /\b(?:TypeError|RangeError|SyntaxError|ReferenceError|undefined|\[object )\b/,
  /\bv?\d+\.\d+\.\d+-?\b(?!Z)/,
];

/** A value that the fuzzer sends. It looks like a version, and with 422 a node repeats what it refuses. */
const REPEATED = '127.0.0.1';

const SENTENCE = /^[A-Z][ -~]{3,400}\.$/;

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
};

const isErrorShape = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === 'success,error' &&
  (value as { success: unknown }).success === false &&
  SENTENCE.test(String((value as { error: unknown }).error));

const isSuccessShape = (value: unknown, text: string): boolean =>
  text === '{}' ||
  (typeof value === 'object' && value !== null && (value as { success: unknown }).success === true);

/**
 * What is wrong with an answer, whatever the request was; nothing if all is well. The shape of version 2 of Core is judged
 * elsewhere.
 */
export const faultsOf = (response: RawResponse, method: string, version: '1' | '2' = '1'): string[] => {
  const { status, headers, body } = response;
  const faults: string[] = [];
  const expect = (isTrue: boolean, fault: string): void => {
    if (!isTrue) faults.push(fault);
  };
  expect((version === '1' ? STATUSES : CORE_V2_STATUSES).has(status), `status ${status}`);
  const names = headers.map(([name]) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  expect(twice.length === 0, `${twice.join()} twice`);
  expect(headerOf(response, 'api-version') === version, 'no API-Version');
  expect(headerOf(response, 'vary')?.startsWith('API-Version') === true, 'no Vary');
  expect(headerOf(response, 'x-chain-height') === String(HEAD_HEIGHT), 'no X-Chain-Height');
  expect(/^[\w.-]{1,128}$/.test(headerOf(response, 'x-request-id') ?? ''), 'no X-Request-Id');
  expect(headerOf(response, 'access-control-allow-origin') === '*', 'other sites cannot read it');
  expect(headerOf(response, 'x-content-type-options') === 'nosniff', 'nosniff is missing');
  for (const name of ['server', 'x-powered-by', 'set-cookie', 'x-ratelimit-limit'])
    expect(!names.includes(name), `the header ${name}`);
  const told = headers
    .filter(([name]) => name !== 'x-request-id')
    .flat()
    .join('\n');
  const coding = headerOf(response, 'content-encoding');
  const text = coding === undefined ? body.toString() : '';
  if (status >= 400) {
    const said = `${told}\n${status === 422 ? text.replaceAll(REPEATED, '') : text}`;
    for (const inside of INSIDE) expect(!inside.test(said), `it reveals internals: ${inside}`);
    expect(headerOf(response, 'cache-control') === 'no-store', 'an error that caches may keep');
    expect(coding === undefined, 'an error that is compressed');
  }
  if (method === 'HEAD' || status === 204 || status === 304) return faults;
  if (status === 308) {
    expect(/^\/\w/.test(headerOf(response, 'location') ?? ''), 'it leads to another site');
    return faults;
  }
  if (headerOf(response, 'content-type') === 'text/html; charset=utf-8') {
    const policy = headerOf(response, 'content-security-policy');
    expect(policy?.includes("default-src 'none'") === true, 'a page without a policy');
    return faults;
  }
  if (status === 200 && headerOf(response, 'content-type') === 'text/csv; charset=utf-8') return faults;
  expect(headerOf(response, 'content-type') === 'application/json; charset=utf-8', 'not JSON');
  if (version === '2') return faults;
  if (status >= 400) expect(isErrorShape(parse(body)), `not the shape of an error: ${text.slice(0, 200)}`);
  else if (coding === undefined) {
    expect(isSuccessShape(parse(body), text), `not the shape of an answer: ${text.slice(0, 200)}`);
  }
  return faults;
};
