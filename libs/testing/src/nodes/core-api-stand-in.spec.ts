import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  NODE_LINES,
  NodeShape,
  usernamesIn,
  type ArchiveBlock,
  type NodeBlock,
  type NodeLineName,
} from '@roundhouse/core-node';
import { parseLosslessJson } from '@roundhouse/chain';
import { readRecording, type Recording } from '../recordings.js';
import { CoreApiStandIn } from './core-api-stand-in.js';
import {
  recordedAnswers,
  recordedBlocks,
  recordedConfiguration,
  recordedNodeChain,
  recordedNodeFork,
  type RecordedAnswer,
} from './recorded-node-chain.js';

interface Page {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/**
 * The requests of an indexer, including those that fail. `first` and `last` come from the node's memory in other
 * shapes.
 */
const ASKED = /^\/api(\/v2)?\/(node\/(?!fees)|blocks|nothing|transactions\?)/;
const NOT_ASKED = /\/blocks\/(first|last)|[?&]type(Group)?=|orderBy=nonce/;

const isAsked = ({ method, path }: RecordedAnswer): boolean =>
  method === 'GET' && ASKED.test(path) && !NOT_ASKED.test(path);

/** On line 3.x, an order by `timestamp` alone leaves the order of transactions with equal timestamps undefined. */
const isInCertainOrder = ({ path }: RecordedAnswer): boolean =>
  !/^\/api\/transactions\?limit=100&orderBy=timestamp:asc$/.test(path);

/** A node caches its answers: on line 2.x, an old answer has old confirmations. */
const settled = (body: string): string => body.replace(/"confirmations":\d+/g, '"confirmations":0');

const ESTIMATES = ['totalCount', 'pageCount', 'next', 'previous', 'last'];

const withoutEstimates = (meta: Page['meta'] = {}): unknown =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !ESTIMATES.includes(key)));

const ask = async (
  standIn: CoreApiStandIn,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string; headers: Headers }> => {
  const response = await fetch(standIn.url + path, { headers });
  return { status: response.status, body: await response.text(), headers: response.headers };
};

const cases: [Recording, number][] = [
  ['core-2.4', 190],
  ['core-3.9', 440],
];

describe.each(cases)('a stand-in for the node of %s', (recording, least) => {
  let standIn: CoreApiStandIn;
  beforeAll(async () => {
    standIn = await CoreApiStandIn.start(recording);
  });
  afterAll(() => standIn.close());

  it('answers every recorded request of an indexer as the node did', async () => {
    const asked = recordedAnswers(recording).filter(isAsked);
    expect(asked.length).toBeGreaterThan(least);
    for (const recorded of asked) {
      const { path } = recorded;
      const { status, body } = await ask(standIn, path, recorded.headers);
      expect({ path, status }).toEqual({ path, status: recorded.status });
      if (status !== 200) {
        expect({ path, body }).toEqual({ path, body: recorded.body });
        continue;
      }
      const [mine, nodes] = [body, recorded.body].map((text) => parseLosslessJson(settled(text)) as Page);
      expect({ path, keys: Object.keys(mine!.meta ?? {}) }).toEqual({
        path,
        keys: Object.keys(nodes!.meta ?? {}),
      });
      expect({ path, meta: withoutEstimates(mine!.meta) }).toEqual({
        path,
        meta: withoutEstimates(nodes!.meta),
      });
      if (isInCertainOrder(recorded)) expect({ path, data: mine!.data }).toEqual({ path, data: nodes!.data });
    }
  });

  it('has no block above the end of its chain, and follows when the chain grows', async () => {
    const whole = standIn.chain;
    const root = recording === 'core-2.4' ? '/api/v2' : '/api';
    standIn.chain = whole.slice(0, 200);
    expect((await ask(standIn, `${root}/blocks/201`)).status).toBe(404);
    expect((await ask(standIn, `${root}/blocks/${whole[200]!.id}/transactions`)).status).toBe(404);
    expect(JSON.parse((await ask(standIn, `${root}/node/syncing`)).body)).toMatchObject({
      data: { height: 200, id: whole[199]!.id },
    });
    standIn.chain = whole;
    expect((await ask(standIn, `${root}/blocks/201`)).status).toBe(200);
  });
});

/** A search is answered by the code that answers the list, which is recorded. */
describe('a search of line 2.x', () => {
  let standIn: CoreApiStandIn;
  beforeAll(async () => {
    standIn = await CoreApiStandIn.start('core-2.4');
  });
  afterAll(() => standIn.close());

  const searched = async (path: string, payload: object): Promise<unknown[]> => {
    const response = await fetch(`${standIn.url}/api/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(body);
    return (parseLosslessJson(settled(body)) as { readonly data: unknown[] }).data;
  };

  const recordedData = (path: string): unknown[] => {
    const { body } = recordedAnswers('core-2.4').find((answer) => answer.path === `/api/v2${path}`)!;
    return (parseLosslessJson(settled(body)) as { readonly data: unknown[] }).data;
  };

  it('returns all transactions in the order of the recorded list', async () => {
    const timestamp = { from: 0, to: standIn.chain.at(-1)!.timestamp };
    for (let page = 1; page <= 10; page += 1) {
      const paging = `limit=100&page=${page}`;
      expect(await searched(`/transactions/search?${paging}`, { timestamp })).toEqual(
        recordedData(`/transactions?${paging}`),
      );
    }
  });

  it('returns the transactions of a block by its timestamp, newest first', async () => {
    const { id, timestamp } = standIn.chain.find(
      ({ height, transactions }) => height > 1 && transactions.length > 2,
    )!;
    expect(await searched('/transactions/search', { timestamp: { from: timestamp, to: timestamp } })).toEqual(
      recordedData(`/blocks/${id}/transactions?limit=100&page=1`).reverse(),
    );
  });

  it('returns the blocks of a range, newest first', async () => {
    expect(await searched('/blocks/search?limit=100', { height: { from: 101, to: 200 } })).toEqual(
      recordedData('/blocks?orderBy=height:asc&limit=100&page=2').reverse(),
    );
    expect(await searched('/blocks/search?limit=1', { height: { from: 1, to: 317 } })).toEqual(
      recordedData('/blocks?limit=1&offset=5'),
    );
  });

  it('refuses what the schema of the node does not have', async () => {
    await expect(searched('/blocks/search?orderBy=height:asc', {})).rejects.toThrow(
      '\\"orderBy\\" is not allowed',
    );
    await expect(searched('/blocks/search', { heights: {} })).rejects.toThrow('\\"heights\\" is not allowed');
    await expect(searched('/blocks/search', { height: { from: 'x', to: 2 } })).rejects.toThrow(
      'must be a number',
    );
  });
});

describe('a keep-alive connection', () => {
  let standIn: CoreApiStandIn;
  const agent = new Agent({ keepAlive: true });
  afterEach(async () => {
    agent.destroy();
    await standIn.close();
  });

  /** The connection of a request whose answer has been read. */
  const connectionOf = async (path: string): Promise<Socket> => {
    const [incoming] = (await once(get(standIn.url + path, { agent }), 'response')) as [IncomingMessage];
    expect(incoming.headers.connection).toBe('keep-alive');
    const { socket } = incoming;
    await once(incoming.resume(), 'end');
    return socket;
  };

  it('is kept open by line 2.x', async () => {
    standIn = await CoreApiStandIn.start('core-2.4');
    const first = await connectionOf('/api/v2/node/status');
    expect(await connectionOf('/api/v2/node/status')).toBe(first);
  });

  it('is destroyed by line 3.x, whatever its answer says', async () => {
    standIn = await CoreApiStandIn.start('core-3.9');
    const socket = await connectionOf('/api/node/status');
    if (!socket.destroyed) await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

describe('a stand-in that misbehaves', () => {
  let standIn: CoreApiStandIn;
  beforeAll(async () => {
    standIn = await CoreApiStandIn.start('core-3.9');
  });
  afterAll(() => standIn.close());

  it('refuses one request for each misbehaviour, as the node did', async () => {
    const refusals = readRecording<RecordedAnswer & Record<string, unknown>>(
      'core-3.9',
      'core-api-v3-429.ndjson.gz',
    ).filter(({ status }) => status === 429);
    for (const { body, responseHeaders } of [refusals[0]!, refusals.at(-1)!]) {
      const retryAfter = responseHeaders['retry-after']!;
      standIn.misbehave({ kind: 'failing', status: 429, retryAfter: Number(retryAfter) });
      const limited = await ask(standIn, '/api/node/status');
      expect(limited).toMatchObject({ status: 429, body });
      expect(limited.headers.get('retry-after')).toBe(retryAfter);
    }
    standIn.misbehave({ kind: 'failing', status: 500 });
    expect((await ask(standIn, '/api/node/status')).status).toBe(500);
    expect((await ask(standIn, '/api/node/status')).status).toBe(200);
  });
});

describe('a branch whose answers were not recorded', () => {
  const shown = (line: NodeLineName, recording: Recording, blocks: readonly ArchiveBlock[]): NodeBlock[] => {
    const shape = new NodeShape(NODE_LINES[line], recordedConfiguration(recording), usernamesIn(blocks));
    return blocks.map((block) => shape.show(block));
  };

  it('is written in the form of the node', () => {
    const chain = recordedNodeChain('core-2.4');
    const blocks = recordedBlocks('core-2.4');
    const made = shown('2.4', 'core-2.4', blocks);
    for (const [index, block] of made.entries()) {
      expect(settled(block.plain)).toBe(settled(chain[index]!.plain));
      block.transactions.forEach(({ plain }, sequence) => {
        expect(settled(plain)).toBe(settled(chain[index]!.transactions[sequence]!.plain));
      });
    }
  });

  it('is written in the forms of line 3.x, plain and raw', () => {
    const chain = recordedNodeChain('core-3.9');
    const blocks = recordedBlocks('core-3.9');
    const made = shown('3.0.6-3.9', 'core-3.9', blocks);
    const parsed = (text: string | null): unknown => JSON.parse(settled(text!));
    for (const [index, block] of made.entries()) {
      const recorded = chain[index]!;
      expect(parsed(block.plain)).toEqual(parsed(recorded.plain));
      block.transactions.forEach(({ plain, raw }, sequence) => {
        expect(parsed(plain)).toEqual(parsed(recorded.transactions[sequence]!.plain));
        expect(parsed(raw)).toEqual(parsed(recorded.transactions[sequence]!.raw));
      });
    }
  });

  it('shares 300 blocks with the recorded chain and has 30 of its own', () => {
    const chain = recordedNodeChain('core-2.4');
    const fork = recordedNodeFork(chain);
    expect(fork).toHaveLength(330);
    expect(fork[299]).toBe(chain[299]);
    expect(fork[300]!.id).not.toBe(chain[300]!.id);
    expect(JSON.parse(fork[300]!.plain)).toMatchObject({ previous: chain[299]!.id });
  });
});
