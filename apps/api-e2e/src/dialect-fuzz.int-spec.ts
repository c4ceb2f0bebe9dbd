import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom, untilServed } from '@roundhouse/testing';
import { dialectRequest, type DialectRequest } from './fuzz/dialect-requests.js';
import { plainRequest } from './support/plain-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const SEED = 20_172;

const REQUESTS = 3000;

/** No 5xx, no 405: clients of nodes know neither. */
const STATUSES = new Set([200, 301, 400, 404]);

/** What reveals internals. Refusals repeat what the client sent, so this is only about our own words. */
const INSIDE =
  /node_modules|node:internal|\.(?:js|ts):\d+|\n +at |postgres|typeorm|syntax error|SELECT |out of range/i;

describe('any request to the dialect', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({ settings: { DIALECT_PORT: '0' } });
  });
  afterAll(() => served.stop());

  const faultOf = async ({ method, path, headers }: DialectRequest): Promise<string | null> => {
    const { status, bytes } = await untilServed(() =>
      plainRequest(served.api.dialectUrl!, headers, method, path),
    );
    const text = bytes.toString();
    if (!STATUSES.has(status)) return `status ${status}: ${text}`;
    if (INSIDE.test(text)) return `it reveals internals: ${text}`;
    if (method === 'HEAD' || method === 'OPTIONS' || status === 301)
      return text === '' ? null : 'it has a body';
    const body = JSON.parse(text) as { success?: unknown; statusCode?: unknown };
    const isOfNode = status === 200 ? typeof body.success === 'boolean' : body.statusCode === status;
    return isOfNode ? null : `not the shape of an answer: ${text}`;
  };

  it('is answered with a status and a shape of a real node, and reveals nothing internal', async () => {
    const random = SeededRandom.of(SEED);
    const faults: string[] = [];
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const request = dialectRequest(random);
      const fault = await faultOf(request).catch((error: unknown) => String(error));
      if (fault !== null)
        faults.push(`${request.method} ${request.path} ${JSON.stringify(request.headers)}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});
