import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { expectSameAsNode, rowsById, type Reply } from './core-v2/compare-answers.js';
import { INTENDED_DIFFERENCES } from './core-v2/intended-differences.js';
import { ask } from './core-v2/node-client.js';
import { recordedRequests, routeOf, type RecordedRequest } from './core-v2/recorded-requests.js';
import { ROUTES } from './core-v2/routes.js';
import { ServedIndex } from './served-index.js';

/** How many requests are sent at the same time. */
const AT_ONCE = 8;

const known = rowsById(recordedRequests);

describe("Core's version 2, over the chain of a Core 3.9.1 node", () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await ServedIndex.open('core-3.9-full');
  });
  afterAll(() => served.close());

  /** Fees of the last days depend on the time of the request, which is recorded; the api runs in this process. */
  const askInTime = async (request: RecordedRequest): Promise<Reply> => {
    const { date } = request.headers;
    if (!request.path.includes('days=') || date === undefined) return ask(served.coreV2Url, request);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(date));
    return ask(served.coreV2Url, request).finally(() => clock.mockRestore());
  };

  /** What differs, each with its request. */
  const differencesOf = async (requests: readonly RecordedRequest[], atOnce: number): Promise<string[]> => {
    const waiting = requests.values();
    const differences: string[] = [];
    const work = async (): Promise<void> => {
      for (const request of waiting) {
        try {
          const reply = await askInTime(request);
          const difference = INTENDED_DIFFERENCES.find(({ applies }) => applies(request));
          if (difference) difference.check(reply, request);
          else expectSameAsNode(reply, request, known);
        } catch (error) {
          differences.push(`${request.method} ${request.path}: ${(error as Error).message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return differences;
  };

  // Before any of these answers is kept: a real index changes with its rebuild.
  it.each([
    '/api/wallets?limit=37',
    '/api/wallets/genesis_51',
    '/api/entities?limit=37',
    '/api/delegates/genesis_2/voters?limit=37',
    '/api/rounds/4/delegates?x=1',
    '/api/node/fees?days=9',
  ])('%s asks for a rebuild if an earlier version began the index', async (path) => {
    await served.index.client.query('UPDATE head SET has_details = false');
    const request = { method: 'GET', path, requestHeaders: {}, status: 503, headers: {}, body: '' };
    const { status, body } = await ask(served.coreV2Url, request);
    await served.index.client.query('UPDATE head SET has_details = true');
    expect([status, JSON.parse(body)]).toMatchObject([
      503,
      { statusCode: 503, error: 'Service Unavailable', message: expect.stringContaining('indexer rebuild') },
    ]);
  });

  it.each(ROUTES)('%s answers every recorded request as the node did', async (route) => {
    const requests = recordedRequests.filter((request) => routeOf(request) === route);
    expect(requests).not.toEqual([]);
    const differences = await differencesOf(requests, route === 'node/fees' ? 1 : AT_ONCE);
    if (differences.length > 0)
      throw new Error(
        `${differences.length} of ${requests.length} differ.\n${differences.slice(0, 5).join('\n\n')}`,
      );
  });

  it('every recorded request is of one of these routes', () => {
    expect(recordedRequests.map(routeOf).filter((route) => !ROUTES.includes(route))).toEqual([]);
  });

  it('every intended difference is in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    for (const { rule } of INTENDED_DIFFERENCES) expect(page).toContain(`| ${rule} `);
  });
});
