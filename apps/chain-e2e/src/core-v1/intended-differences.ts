import { expect } from '@jest/globals';
import type { Reply } from './compare-answers.js';
import { routeOf, type RecordedRequest } from './recorded-requests.js';

type Json = Record<string, unknown>;

/** Where our answer differs from the node's on purpose. */
export interface IntendedDifference {
  /** The first column of its row in docs/differences.md. */
  readonly rule: string;
  readonly applies: (request: RecordedRequest) => boolean;
  /** Checks our answer; `node` is the node's parsed body. */
  readonly check: (ours: Reply, request: RecordedRequest) => void;
}

const bodyOf = ({ body }: { readonly body: string }): Json => JSON.parse(body) as Json;

const expectRefusal = (reply: Reply): void => {
  expect(reply.status).toBe(200);
  expect(bodyOf(reply)).toMatchObject({ success: false, error: expect.any(String) as unknown });
};

/** The recorded request with an address that no account has, beside a recipient that the chain knows. */
const UNKNOWN_ADDRESS = 'AGeYmgbg2LgGxRW2vNNJvQ88PknEJsYizC';
const KNOWN_RECIPIENT = 'AUnwEeEGdxBGSC1XFRQ45LFpUn9rSEybAQ';

/** The first one that applies to a request is used. */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    rule: 'OPTIONS without Origin',
    applies: ({ method, headers }) => method === 'OPTIONS' && !('Origin' in headers),
    check: ({ status, body }) => expect({ status, body }).toEqual({ status: 200, body: '' }),
  },
  {
    rule: 'posting a transaction',
    applies: (request) => request.method === 'POST' && routeOf(request) === 'transactions',
    check: expectRefusal,
  },
  {
    rule: 'version 2',
    applies: ({ headers, path }) => headers['API-Version'] === '2' && !path.startsWith('/api/v1/'),
    // Of Core 3.9.1: `getHeight` is no id of a block, and there are no accounts.
    check: ({ status, body }, { status: node }) => {
      expect([status, JSON.parse(body)]).toMatchObject([node === 400 ? 422 : node, { statusCode: status }]);
    },
  },
  {
    rule: 'several filters, one by a sender without transactions',
    applies: (request) =>
      routeOf(request) === 'transactions' && request.path.includes(`senderId=${UNKNOWN_ADDRESS}&recipientId`),
    check: (reply) => {
      expect(reply.status).toBe(200);
      const { transactions } = bodyOf(reply) as { transactions: Json[] };
      expect(transactions).toHaveLength(3);
      for (const transaction of transactions)
        expect(transaction).toMatchObject({ recipientId: KNOWN_RECIPIENT });
    },
  },
  {
    rule: 'unconfirmed transactions',
    applies: (request) => routeOf(request) === 'transactions/unconfirmed' && request.status === 200,
    check: (reply) => expect(bodyOf(reply)).toEqual({ transactions: [], success: true }),
  },
  {
    rule: 'unconfirmed transactions',
    applies: (request) => routeOf(request) === 'transactions/unconfirmed/get' && request.status === 200,
    check: (reply) => expect(bodyOf(reply)).toEqual({ error: 'Transaction not found', success: false }),
  },
  {
    rule: "a node's own 500",
    applies: ({ status }) => status === 500,
    check: expectRefusal,
  },
  {
    rule: 'peers',
    applies: (request) =>
      routeOf(request) === 'peers' && request.status === 200 && 'peers' in bodyOf(request),
    check: (reply) => {
      expect(reply.status).toBe(200);
      for (const peer of bodyOf(reply)['peers'] as Json[])
        expect(peer).toMatchObject({ ip: '127.0.0.1', version: '2.4.15', height: 317 });
    },
  },
  {
    rule: 'blocks behind',
    applies: (request) => routeOf(request).startsWith('loader/status') && request.status === 200,
    check: (reply, request) => {
      const missing = { ...('blocks' in bodyOf(request) ? { blocks: 0 } : { blocksCount: 0 }) };
      expect(bodyOf(reply)).toEqual({ ...bodyOf(request), ...missing });
    },
  },
  {
    rule: 'ports',
    applies: (request) => routeOf(request) === 'loader/autoconfigure' && request.status === 200,
    check: (reply, request) => {
      const port = '@arkecosystem/core-api';
      const { network, ...rest } = bodyOf(reply) as { network: { ports: Json } };
      expect(typeof network.ports[port]).toBe('number');
      const node = bodyOf(request) as { network: { ports: Json } };
      const ports = { ...network.ports, [port]: node.network.ports[port] };
      expect({ ...rest, network: { ...network, ports } }).toEqual(node);
    },
  },
];
