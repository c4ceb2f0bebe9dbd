import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  writeAccountChangeCursor,
  writeBlockCursor,
  writeDayCursor,
  writeTransactionCursor,
} from '@roundhouse/dto';
import { createTestDatabase } from '@roundhouse/testing';
import { ApiDocument, type Operation, type Parameter } from './support/api-document.js';
import { startApi } from './support/api-under-test.js';
import { everyRequest } from './support/every-request.js';
import { fits } from './support/schema-texts.js';
import { getText, getTextOnce } from './support/requests.js';
import { seedChain } from './support/seed.js';
import { serveChain } from './support/served-chain.js';
import { INDEXES, serveBlocks, TRAFFIC, type Served } from './support/served-indexes.js';

/** Its answer never ends. */
const STREAM = '/events';

/** The first accounts, long ago and now. */
const requestsForAccounts = async (url: string): Promise<string[]> => {
  const { accounts } = JSON.parse((await getText(url, '/api/accounts?limit=40')).text) as {
    accounts: { address: string }[];
  };
  const { height } = JSON.parse((await getText(url, '/api/blocks/getHeight')).text) as { height: number };
  return accounts.flatMap(({ address }) => [
    `/api/history/accounts/${address}?height=${height}`,
    `/api/history/accounts/${address}/changes`,
    `/api/accounts/${address}/proof?height=${height}`,
  ]);
};

/** Not one of the headers that every request may have. */
const isOwn = (parameter: Parameter): boolean => parameter.in !== 'header';

const isPaged = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'cursor');

describe('the OpenAPI document', () => {
  const seen = new Map<string, Set<boolean>>();
  let bare: Served;
  let document: ApiDocument;
  /** What is documented with a status, with values that name nothing. */
  const requestsFor = (status: string): string[] =>
    [...document.operations].flatMap(([path, { parameters, responses }]) => {
      if (!(status in responses) || path === STREAM) return [];
      const target = path.replace(/\{\w+\}/g, 'nobody');
      const needed = parameters.filter(({ in: place, required }) => place === 'query' && required);
      const query = needed.map(({ name, schema }) => {
        const text = UNKNOWN.find((text) => fits(schema, text));
        if (text === undefined) throw new Error(`Add a text to UNKNOWN that fits ${name} of ${path}.`);
        return `${name}=${text}`;
      });
      if (path === '/api/delegates/get') query.push('username=nobody');
      if (path === '/api/statistics/daily') query.push('from=999999');
      return [`${target}?${query.join('&')}`];
    });

  const notePlaces = (request: string, response: Awaited<ReturnType<typeof getText>>): void => {
    for (const { name, isNull } of document.placesIn(request, response))
      seen.set(name, (seen.get(name) ?? new Set()).add(isNull));
  };

  /** They name nothing. */
  const UNKNOWN = ['nobody', `02${'f'.repeat(64)}`, '999999'];

  beforeAll(async () => {
    bare = await serveBlocks(TRAFFIC, [], false);
    document = await ApiDocument.of(bare.api.url);
  });
  afterAll(() => bare.stop());

  it.each(INDEXES)('describes every answer about an index %s', async (_, serve) => {
    const { api, stop } = await serve();
    try {
      const requests = [...(await everyRequest(api.url)), ...(await requestsForAccounts(api.url))];
      for (const request of requests.filter((path) => !path.startsWith('/api/v1'))) {
        const response = await getText(api.url, request);
        expect(document.differences(request, response)).toEqual([]);
        expect([request, document.missingHeaders(request, response)]).toEqual([request, []]);
        notePlaces(request, response);
      }
    } finally {
      await stop();
    }
  });

  it.each([null, new Date()])('describes the end of a chain that was proven at %s', async (provenAt) => {
    const served = await serveChain({
      seed: async (database) => {
        await seedChain(database);
        await database.query(
          'UPDATE network SET final_height = head.height, final_id = head.block_id, proven_at = $1 FROM head',
          [provenAt],
        );
      },
    });
    try {
      for (const request of ['/status.json', '/api/loader/status']) {
        const response = await getText(served.api.url, request);
        expect(document.differences(request, response)).toEqual([]);
        expect(response.text).toContain('"ended":{');
        notePlaces(request, response);
      }
    } finally {
      await served.stop();
    }
  });

  it('was compared with null and with a value at every place that may be null', () => {
    const places = document.nullablePlaces;
    expect(places.length).toBeGreaterThan(30);
    expect(places.filter((place) => seen.get(place)?.size !== 2)).toEqual([]);
  });

  it('admits null only where it says so', () => {
    const { schemas } = document.document.components;
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      for (const [field, { nullable = false, allOf, items }] of Object.entries(properties)) {
        const reference = (allOf?.[0] ?? items)?.$ref?.split('/').at(-1);
        const isNullable = reference !== undefined && (schemas[reference]!.nullable ?? false);
        expect([name, field, isNullable]).toEqual([name, field, reference !== undefined && nullable]);
      }
    }
  });

  it('describes the reply to a client that has the answer', async () => {
    for (const request of (await everyRequest(bare.api.url)).filter((path) => !path.startsWith('/api/v1'))) {
      const { operations } = document;
      const { parameters } = operations.get(document.pathOf(request))!;
      expect(parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'If-None-Match' }));
      const response = await getText(bare.api.url, request, { 'If-None-Match': '*' });
      // Errors have no tag: the history that this index lacks, and a request without one of two parameters.
      expect([request, [304, 400, 501].includes(response.status)]).toEqual([request, true]);
      expect(document.differences(request, response)).toEqual([]);
      expect([request, document.missingHeaders(request, response)]).toEqual([request, []]);
    }
  });

  const expectError = async (
    request: string,
    status: number,
    response: Awaited<ReturnType<typeof getTextOnce>>,
  ) => {
    expect([request, response.status, response.text]).toEqual([
      request,
      status,
      expect.stringMatching(/^{"success":false,/),
    ]);
    expect(document.differences(request, response)).toEqual([]);
    expect([request, document.missingHeaders(request, response)]).toEqual([request, []]);
  };

  it('describes the refusal of an unknown version, of every path', async () => {
    const requests = [...requestsFor('400'), STREAM];
    expect(requests).toHaveLength(document.operations.size);
    for (const request of requests)
      await expectError(request, 400, await getText(bare.api.url, request, { 'API-Version': '3' }));
  });

  it('describes what does not exist', async () => {
    const served = await serveBlocks(TRAFFIC);
    try {
      // One without parameters is 404 on a chain without delegates.
      const requests = requestsFor('404').filter((path) =>
        document.operations.get(document.pathOf(path))!.parameters.some(isOwn),
      );
      expect(requests.length).toBeGreaterThan(15);
      for (const request of requests) await expectError(request, 404, await getText(served.api.url, request));
    } finally {
      await served.stop();
    }
  });

  it('describes the history that an index lacks', async () => {
    const requests = requestsFor('501');
    const ofHistory = [...document.operations.keys()].filter((path) => path.startsWith('/api/history/'));
    expect(ofHistory.length).toBeGreaterThanOrEqual(7);
    expect(requests.map((request) => document.pathOf(request))).toEqual(ofHistory);
    for (const request of requests) await expectError(request, 501, await getText(bare.api.url, request));
  });

  it('describes the page that ended at a block that a fork has undone', async () => {
    const served = await serveBlocks(TRAFFIC);
    const undone = { height: 100, blockId: TRAFFIC.blocks[0]!.id };
    const cursors = [
      ['transactions', writeTransactionCursor({ ...undone, sequence: 0 })],
      ['changes', writeAccountChangeCursor(undone)],
      ['blocks', writeBlockCursor(undone)],
      ['daily', writeDayCursor({ ...undone, day: 20_000 })],
    ] as const;
    const address = TRAFFIC.blocks[0]!.transactions[0]!.recipientId!;
    const delegate = TRAFFIC.blocks[1]!.generatorPublicKey;
    try {
      const paths = requestsFor('409').map((request) => document.pathOf(request));
      // A page of accounts ends at no block.
      const paged = [...document.operations].filter(([, operation]) => isPaged(operation));
      expect([...paths, '/api/accounts'].sort()).toEqual(paged.map(([path]) => path).sort());
      expect(paths.length).toBeGreaterThanOrEqual(4);
      for (const path of paths) {
        const target = path
          .replace('{block}', '100')
          .replace('{delegate}', delegate)
          .replace(/\{\w+\}/, address);
        // Their last segment says what they list.
        const [, cursor] = cursors.find(([listed]) => path.endsWith(`/${listed}`)) ?? cursors[0];
        const request = `${target}?cursor=${cursor}`;
        await expectError(request, 409, await getText(served.api.url, request));
      }
    } finally {
      await served.stop();
    }
  });

  it('describes the refusal of too many requests, of every path', async () => {
    const served = await serveChain({ settings: { RATE_LIMIT: '1' } });
    try {
      for (const request of [...requestsFor('429'), STREAM]) {
        const init = { headers: { 'API-Version': '3' } };
        let response = await getTextOnce(served.api.url, request, init);
        while (response.status !== 429) response = await getTextOnce(served.api.url, request, init);
        await expectError(request, 429, response);
      }
    } finally {
      await served.stop();
    }
  });

  it('describes an api that has no chain yet', async () => {
    const database = await createTestDatabase();
    const api = await startApi(database.url);
    try {
      const statuses = new Set<number>();
      for (const request of requestsFor('503')) {
        const response = await getTextOnce(api.url, request);
        statuses.add(response.status);
        expect(document.differences(request, response)).toEqual([]);
      }
      expect(statuses).toContain(503);
    } finally {
      await api.close();
      await database.drop();
    }
  });

  it('describes the stream of events, and its refusal', async () => {
    const { responses } = document.operations.get(STREAM)!;
    const controller = new AbortController();
    const { headers, status } = await fetch(bare.api.url + STREAM, { signal: controller.signal });
    controller.abort();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(Object.keys(responses['200']!.content!)).toEqual(['text/event-stream']);
    expect(document.missingHeaders(STREAM, { status, headers })).toEqual([]);
    const served = await serveChain({ settings: { EVENTS_MAX_CLIENTS: '0' } });
    try {
      await expectError(STREAM, 503, await getTextOnce(served.api.url, STREAM));
    } finally {
      await served.stop();
    }
  });

  it('says where the api is', () => {
    expect(document.document.servers).toMatchObject([{ url: '/' }]);
  });
});
