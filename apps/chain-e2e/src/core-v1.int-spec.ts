import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { untilServed } from '@roundhouse/testing';
import { expectSameAsNode, rowsById, type Reply } from './core-v1/compare-answers.js';
import { DONE } from './core-v1/done-routes.js';
import { INTENDED_DIFFERENCES } from './core-v1/intended-differences.js';
import { recordedRequests, routeOf, type RecordedRequest } from './core-v1/recorded-requests.js';
import { ServedIndex } from './served-index.js';

/** Requests that no route answers: other paths, versions, methods, redirects. */
const isOfNoRoute = ({ method, path, status }: RecordedRequest): boolean =>
  [301, 400, 404].includes(status) || path === '/' || (method !== 'GET' && method !== 'HEAD');

/** How many requests are sent at the same time. */
const AT_ONCE = 8;

const isBelowV1 = ({ path }: RecordedRequest): boolean => /^\/api\/v1(\/|$)/.test(path);

describe("Core's version 1, over the chain of a Core 2.4.15 node", () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await ServedIndex.open('core-2.4-full');
  });
  afterAll(() => served.close());

  // The node never answered 503.
  const ask = (base: string, { method, path, headers }: RecordedRequest): Promise<Reply> =>
    untilServed(async () => {
      const response = await fetch(base + path, { method, headers, redirect: 'manual' });
      return { status: response.status, body: await response.text() };
    });

  const expectSame = (reply: Reply, request: RecordedRequest, known: ReturnType<typeof rowsById>): void => {
    const difference = INTENDED_DIFFERENCES.find(({ applies }) => applies(request));
    if (difference) difference.check(reply, request);
    else expectSameAsNode(reply, request, known);
  };

  /** Fails with the first differences, each with its request. */
  const replay = async (requests: readonly RecordedRequest[]): Promise<void> => {
    expect(requests).not.toEqual([]);
    const known = rowsById(requests);
    const waiting = requests.values();
    const failures: string[] = [];
    const work = async (): Promise<void> => {
      for (const request of waiting) {
        // The main port answers the same below /api/v1.
        for (const base of isBelowV1(request) ? [served.coreV1Url, served.url] : [served.coreV1Url]) {
          try {
            expectSame(await ask(base, request), request, known);
          } catch (error) {
            failures.push(`${request.method} ${request.path}: ${(error as Error).message}`);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.length > 0)
      throw new Error(
        `${failures.length} of ${requests.length} differ.\n${failures.slice(0, 5).join('\n\n')}`,
      );
  };

  it.each(DONE)('%s answers every recorded request as the node did', async (route) => {
    await replay(recordedRequests.filter((request) => !isOfNoRoute(request) && routeOf(request) === route));
  });

  it('other paths, versions and methods are refused as the node did', async () => {
    await replay(recordedRequests.filter(isOfNoRoute));
  });

  it('every recorded request is replayed', () => {
    const isReplayed = (request: RecordedRequest): boolean =>
      isOfNoRoute(request) || DONE.includes(routeOf(request));
    expect(recordedRequests.filter((request) => !isReplayed(request)).map(({ path }) => path)).toEqual([]);
  });

  it('every intended difference is in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    for (const { rule } of INTENDED_DIFFERENCES) expect(page).toContain(`| ${rule} `);
  });
});
