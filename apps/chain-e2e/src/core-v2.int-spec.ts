import { readFileSync } from 'node:fs';
import { CoreV2Document, untilServed } from '@roundhouse/testing';
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
  let document: CoreV2Document;
  beforeAll(async () => {
    served = await ServedIndex.open('core-3.9-full');
    document = await CoreV2Document.of(served.url);
  });
  afterAll(() => served.close());

  /** Fees of the last days depend on the time of the request, which is recorded; the api runs in this process. */
  const askInTime = async (request: RecordedRequest): Promise<Reply> => {
    const { date } = request.headers;
    // A busy machine may not read its database in time.
    const askPatiently = () =>
      untilServed(
        () => ask(served.coreV2Url, request),
        ({ status, body }) => status === 503 && body.includes('just now'),
      );
    if (!request.path.includes('days=') || date === undefined) return askPatiently();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(date));
    return askPatiently().finally(() => clock.mockRestore());
  };

  /** The documented routes that answered. */
  const answered = new Set(['/api/v2/transactions/unconfirmed/{id}']);

  /** What our OpenAPI document does not say about a request and its whole answer. */
  const differencesFromDocument = ({ method, path }: RecordedRequest, { status, body }: Reply): string[] => {
    if (body === '' || ![200, 404, 422].includes(status)) return [];
    const { pathname, searchParams } = new URL(path, 'http://node');
    const operation = document.find(method.toLowerCase(), pathname.replace(/^\/api\/|\/$/g, ''));
    if (!operation) return [];
    const faults = document.faultsOf(operation, status, body);
    if (faults.length === 0) document.note(operation, status, body);
    if (status !== 200) return faults;
    const documented = operation.parameters.filter((one) => one.in === 'query');
    answered.add(operation.path);
    const isKnown = (asked: string): boolean =>
      documented.some(
        ({ name, schema }) => name === asked || (schema['type'] === 'object' && asked.startsWith(`${name}.`)),
      );
    // Routes that check nothing take any parameter.
    const unknown = [...searchParams.keys()].filter((name) => documented.length > 0 && !isKnown(name));
    return faults.concat(unknown.map((name) => `${operation.path} takes ${name}, which is not documented`));
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
          differences.push(...differencesFromDocument(request, reply));
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

  // The first one of "payout" fills the page before the row that begins with "firs".
  it('a value that only the count cannot look for is refused', async () => {
    const path = '/api/transactions?vendorField=payout%25,firs%5C&limit=1';
    const request = { method: 'GET', path, requestHeaders: {}, status: 422, headers: {}, body: '' };
    const { status, body } = await ask(served.coreV2Url, request);
    expect([status, JSON.parse(body)]).toMatchObject([
      422,
      { error: 'Unprocessable Entity', message: expect.stringContaining('cannot be looked for') },
    ]);
  });

  it('every recorded request is of one of these routes', () => {
    expect(recordedRequests.map(routeOf).filter((route) => !ROUTES.includes(route))).toEqual([]);
  });

  it('the OpenAPI document has each route, and no field that no answer has', () => {
    expect(document.operations.map(({ path }) => path).filter((path) => !answered.has(path))).toEqual([]);
    expect(document.unseenFields).toEqual([]);
  });

  it('every intended difference is in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    for (const { rule } of INTENDED_DIFFERENCES) expect(page).toContain(`| ${rule} `);
  });
});
