import { STATUS_CODES } from 'node:http';
import { expect } from '@jest/globals';
import type { Reply } from './compare-answers.js';
import { routeOf, type RecordedRequest } from './recorded-requests.js';

type Json = Record<string, unknown>;

/** Where our answer differs from the node's on purpose: what only a node can know. */
export interface IntendedDifference {
  /** The first column of its row in docs/differences.md. */
  readonly rule: string;
  readonly applies: (request: RecordedRequest) => boolean;
  /** Checks our answer. */
  readonly check: (ours: Reply, request: RecordedRequest) => void;
}

const bodyOf = ({ body }: { readonly body: string }): Json => JSON.parse(body) as Json;

const dataOf = <T>(answer: { readonly body: string }): T => bodyOf(answer)['data'] as T;

const parametersOf = ({ path }: RecordedRequest): Record<string, string> =>
  Object.fromEntries(new URL(path, 'http://node').searchParams);

/** A list with no rows, with the parameters of the request in its links. */
const expectEmptyList = (reply: Reply, request: RecordedRequest): void => {
  const meta = {
    count: 0,
    totalCount: 0,
    totalCountIsEstimate: false,
    pageCount: 1,
    next: null,
    previous: null,
  };
  const { self, first } = bodyOf(request)['meta'] as Json;
  expect({ status: reply.status, body: bodyOf(reply) }).toEqual({
    status: 200,
    body: { meta: { ...meta, self, first, last: first }, data: [] },
  });
};

/** The first one that applies to a request is used. */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    rule: "a node's own 500 (version 2)",
    applies: ({ status }) => status === 500,
    check: (reply) => {
      if (reply.status === 200) return expect(Array.isArray(dataOf(reply))).toBe(true);
      const { status } = reply;
      expect([404, 422]).toContain(status);
      const error = STATUS_CODES[status];
      expect(bodyOf(reply)).toEqual({ statusCode: status, error, message: expect.any(String) as unknown });
    },
  },
  {
    rule: 'transactions/unconfirmed',
    applies: (request) =>
      request.method === 'GET' && routeOf(request) === 'transactions/unconfirmed' && request.status === 200,
    check: expectEmptyList,
  },
  {
    rule: 'transactions/unconfirmed',
    applies: (request) => routeOf(request) === 'transactions/unconfirmed/{id}' && request.status === 200,
    check: ({ status, body }) => {
      const message = 'Transaction not found';
      if (body === '') return expect(status).toBe(404);
      expect(JSON.parse(body)).toEqual({ statusCode: 404, error: 'Not Found', message });
    },
  },
  {
    rule: 'posts of transactions',
    applies: ({ method, path }) => method === 'POST' && path === '/api/transactions',
    check: (reply, request) => {
      const refused = { message: expect.stringMatching(/Post the transaction to a node/) as unknown };
      const answer = bodyOf(reply);
      const { accept, broadcast, excess, invalid } = answer['data'] as Record<string, string[]>;
      expect({ status: reply.status, ...answer, accepted: [accept, broadcast, excess] }).toMatchObject({
        status: 422,
        statusCode: 422,
        error: 'Unprocessable Entity',
        ...refused,
        accepted: [[], [], []],
        errors: Object.fromEntries(invalid!.map((id) => [id, refused])),
      });
      if (request.status !== 200) return;
      const node = dataOf<Record<string, string[]>>(request);
      const posted = new Set([...node['accept']!, ...node['excess']!, ...node['invalid']!]);
      expect(new Set(invalid)).toEqual(posted);
    },
  },
  {
    rule: 'node/status',
    applies: (request) => routeOf(request) === 'node/status' && request.method === 'GET',
    check: (reply, request) => {
      const { timestamp, ...rest } = dataOf<Json>(reply);
      const { timestamp: then, ...node } = dataOf<Json>(request);
      expect({ status: reply.status, ...rest }).toEqual({ status: request.status, ...node });
      expect(timestamp).toBeGreaterThan(then as number);
    },
  },
  {
    rule: 'peers',
    applies: (request) => request.method === 'GET' && /peers\/127\.0\.0\.1$/.test(request.path),
    check: (reply) => {
      expect(reply.status).toBe(200);
      expect(dataOf<Json>(reply)).toMatchObject({ ip: '127.0.0.1', version: '3.9.1', height: 352 });
    },
  },
  {
    rule: 'peers',
    applies: (request) => routeOf(request) === 'peers/{id}' && request.status === 200,
    check: ({ status, body }) =>
      expect({ status, ...(JSON.parse(body) as Json) }).toMatchObject({
        status: 404,
        message: 'Peer not found',
      }),
  },
  {
    rule: 'peers',
    applies: (request) => request.method === 'GET' && routeOf(request) === 'peers' && request.status === 200,
    check: (reply, request) => {
      const { version, limit = 100, offset = 0, page = 1 } = parametersOf(request);
      expect(reply.status).toBe(200);
      const { meta, data } = bodyOf(reply) as { meta: Json; data: Json[] };
      const isShown = Number(offset) + (Number(page) - 1) * Number(limit) === 0 && version !== '2.0.0';
      for (const peer of data) expect(peer).toMatchObject({ ip: '127.0.0.1', version: '3.9.1', height: 352 });
      if (isShown) expect(meta['totalCount']).toBe(data.length);
    },
  },
];
