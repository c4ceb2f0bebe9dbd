import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CoreApiStandIn, readRecording, repeatedAnswers } from '@roundhouse/testing';
import { recordedRequests, type RecordedRequest } from '../core-v2/recorded-requests.js';
import { ServedIndex } from '../served-index.js';
import { describePrograms, Programs, type CallProgram } from './programs.js';

/** A method's group and name, and its arguments, for which the node's answers are recorded. */
type Call = readonly [group: string, method: string, ...args: unknown[]];

const HUB = 'AeHRdNTfovnzrLMzm7EpYdkkmob3BBGArD';
const VOTER = 'ARhLUuci15v79dAueVVErnVrSEpgPvE5ak';
const FIVE = [
  HUB,
  VOTER,
  'ARD3PqRGLmwGpsqiJs5bBMiUpWx7yRKf8P',
  'Af22zf8KDqWfZ6Nc8Y8RuFUokKix1Ffvtz',
  'AWrqPSSvbHt1AqNuErdX3o98ScMKVxknU8',
];
const DELEGATE = '03287bfebba4c7881a0509717e71b34b63f31e40021c321f89ae04f84be6d6ac37';
const BLOCK = '7026493313005018069';
const TRANSACTION = 'a98b37c79d9e3135a077e7644e97ea0f9148574841e5ac24e82763c6c8e8eeda';

const CLIENT: readonly Call[] = [
  ['blocks', 'all', { limit: 1 }],
  ['blocks', 'first'],
  ['blocks', 'last'],
  ['blocks', 'get', BLOCK],
  ['blocks', 'transactions', BLOCK, { orderBy: 'timestamp:desc' }],
  ['delegates', 'all', { limit: 100, page: 1 }],
  ['delegates', 'get', DELEGATE],
  ['delegates', 'blocks', 'genesis_1', { limit: 100 }],
  ['delegates', 'voters', 'genesis_1', { limit: 100 }],
  ['locks', 'all'],
  ['node', 'configuration'],
  ['node', 'crypto'],
  ['node', 'syncing'],
  ['rounds', 'delegates', 3],
  ['transactions', 'all', { page: 1, limit: 100 }],
  ['transactions', 'get', TRANSACTION],
  ['transactions', 'types'],
  ['transactions', 'fees'],
  ['transactions', 'schemas'],
  ['votes', 'all'],
  ['wallets', 'all', { limit: 1, nonce: 0 }],
  ['wallets', 'get', VOTER],
  ['wallets', 'transactions', HUB, { orderBy: 'timestamp:desc', limit: 50, page: 1 }],
  ['wallets', 'transactionsSent', HUB, { limit: 100, orderBy: 'timestamp:asc' }],
  ['wallets', 'transactionsReceived', HUB],
  ['wallets', 'votes', VOTER],
  ['wallets', 'top'],
  ['wallets', 'locks', VOTER],
];

const identifiers = FIVE.map((value) => ({ value }));

const SDK: readonly Call[] = [
  ['client', 'transaction', TRANSACTION],
  ['client', 'transactions', { limit: 30, cursor: 1, identifiers }],
  ['client', 'transactions', { identifiers: [{ value: HUB }], types: ['transfer', 'vote'] }],
  ['client', 'transactions', { identifiers: [{ value: HUB }], type: 'magistrate' }],
  ['client', 'transactions', { limit: 10, senderId: HUB, memo: 'first' }],
  ['client', 'transactions', { recipientId: FIVE[3], cursor: 2 }],
  ['client', 'wallet', { value: VOTER }],
  ['client', 'wallet', { value: 'genesis_1' }],
  ['client', 'wallets', { limit: 100, cursor: 1, identifiers }],
  ['client', 'delegate', DELEGATE],
  ['client', 'delegates', { limit: 100, cursor: 1 }],
  ['client', 'voters', 'genesis_1', { cursor: 1, limit: 100 }],
  ['client', 'votes', VOTER],
  ['fee', 'all'],
];

const GATEWAY: readonly Call[] = [
  ['blocks', 'info', { id: BLOCK }],
  ['blocks', 'latest'],
  ['blocks', 'transactions', { id: BLOCK, offset: 5 }],
  ['transactions', 'info', { id: TRANSACTION }],
  ['wallets', 'info', { address: VOTER }],
  ['wallets', 'transactions', { address: HUB }],
];

/** The node was alone in its network, and the gateway asks nobody who knows no peers: these were put in by hand. */
const peers = readRecording<RecordedRequest & { readonly state: string } & Record<string, unknown>>(
  'core-3.9-full',
  'core-api-other-states.ndjson.gz',
).filter(({ state, path }) => state === 'peers' && path.startsWith('/api/peers'));

type Row = Readonly<Record<string, unknown>>;

const keyOf = (row: Row | null): unknown => row?.['id'] ?? row?.['lockId'];

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 1 && value.every((row: Row) => typeof keyOf(row) === 'string');

/** The program asks for an order in which the rows of one block are equal, so a node may send any of them. */
const expectSameButTies = (ours: unknown, node: unknown): void => {
  if (!isRows(node)) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return expect(ours).toEqual(node);
    expect(Object.keys(ours as Row).sort()).toEqual(Object.keys(node).sort());
    for (const [name, value] of Object.entries(node)) expectSameButTies((ours as Row)[name], value);
    return;
  }
  const known = new Map(node.map((row) => [keyOf(row), row]));
  const times = (rows: readonly Row[]): unknown[] => rows.map(({ timestamp }) => timestamp);
  expect(times(ours as Row[])).toEqual(times(node));
  const shared = (ours as Row[]).filter((row) => known.has(keyOf(row)));
  expect(shared.length).toBeGreaterThan(0);
  for (const row of shared) expect(row).toEqual(known.get(keyOf(row)));
};

describePrograms('programs of today', () => {
  let served: ServedIndex;
  /** It repeats what the node answered, and fails for anything that was not recorded. */
  let node: CoreApiStandIn;
  let programs: Programs;
  beforeAll(async () => {
    programs = new Programs();
    node = await CoreApiStandIn.start('core-3.9');
    const whole = recordedRequests.filter(({ requestHeaders: { range } }) => range === undefined);
    node.intercept = repeatedAnswers([...whole, ...peers], 599);
    served = await ServedIndex.open('core-3.9-full');
  });
  afterAll(async () => {
    await served.close();
    await node.close();
    await programs.end();
  });

  const expectSame = async (callAt: (url: string) => CallProgram, call: Call): Promise<void> => {
    const fromNode = await callAt(node.url)(...call);
    expect(fromNode).toBeDefined();
    expectSameButTies(await callAt(served.coreV2Url)(...call), fromNode);
  };

  it.each(CLIENT)('@arkecosystem/client gets the same from %s.%s as from the node', async (...call) => {
    await expectSame((url) => programs.of('client', url), call);
  });

  it.each(SDK)("the wallets' SDK gets the same from %s.%s as from the node", async (...call) => {
    await expectSame((url) => programs.of('sdk', url), call);
  });

  it.each(GATEWAY)("the exchanges' gateway gets the same from %s.%s as from the node", async (...call) => {
    await expectSame((url) => programs.of('gateway', url), call);
  });

  it('a wallet that moves to the next chain takes 404 for an address that is not in use', async () => {
    const { status } = await fetch(`${served.coreV2Url}/api/wallets/ANeverUsed11111111111111111111111`);
    expect(status).toBe(404);
  });
});
