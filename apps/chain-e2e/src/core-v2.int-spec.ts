import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectSameAsNode, rowsById } from './core-v2/compare-answers.js';
import { DONE } from './core-v2/done-routes.js';
import { INTENDED_DIFFERENCES } from './core-v2/intended-differences.js';
import { ask } from './core-v2/node-client.js';
import { recordedRequests, routeOf, type RecordedRequest } from './core-v2/recorded-requests.js';
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

  /** What differs, each with its request. */
  const differencesOf = async (requests: readonly RecordedRequest[]): Promise<string[]> => {
    const waiting = requests.values();
    const differences: string[] = [];
    const work = async (): Promise<void> => {
      for (const request of waiting) {
        try {
          const reply = await ask(served.coreV2Url, request);
          const difference = INTENDED_DIFFERENCES.find(({ applies }) => applies(request));
          if (difference) difference.check(reply, request);
          else expectSameAsNode(reply, request, known);
        } catch (error) {
          differences.push(`${request.method} ${request.path}: ${(error as Error).message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return differences;
  };

  it.each(DONE)('%s answers every recorded request as the node did', async (route) => {
    const requests = recordedRequests.filter((request) => routeOf(request) === route);
    expect(requests).not.toEqual([]);
    const differences = await differencesOf(requests);
    if (differences.length > 0)
      throw new Error(
        `${differences.length} of ${requests.length} differ.\n${differences.slice(0, 5).join('\n\n')}`,
      );
  });

  it('every intended difference is in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    for (const { rule } of INTENDED_DIFFERENCES) expect(page).toContain(`| ${rule} `);
  });
});
