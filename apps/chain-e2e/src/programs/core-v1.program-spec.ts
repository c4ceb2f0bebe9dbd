import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CoreApiStandIn, repeatedAnswers } from '@roundhouse/testing';
import { DONE } from '../core-v1/done-routes.js';
import { recordedRequests } from '../core-v1/recorded-requests.js';
import { ServedIndex } from '../served-index.js';
import { describePrograms, Programs, type CallProgram } from './programs.js';

/** The route that a method asks, its group and name, and its arguments, for which the node's answer is recorded. */
type Call = readonly [route: string, group: string, method: string, ...args: unknown[]];

const KEY = '03e59140fde881ac437ec3dc3e372bf25f7c19f0b471a5b35cc30f783e8a7b811b';
const ADDRESS = 'AaUgne8txmQB1iBboiFVLVHwLaYChZiFVA';
const TRANSACTION = '9d5a7c0afff5c32a783de8c573f19de6f34fcaf9ee9496c6489459625d7df1b6';
const NOTHING = '0'.repeat(64);

const ARK_TS: readonly Call[] = [
  ['loader/status', 'loader', 'loadingStatus'],
  ['loader/status/sync', 'loader', 'synchronisationStatus'],
  ['loader/autoconfigure', 'loader', 'autoConfigure'],
  ['blocks/get', 'block', 'get', { id: '8747248611050295535' }],
  ['blocks', 'block', 'list', { limit: 2 }],
  ['blocks/getFee', 'block', 'blockchainFee'],
  ['blocks/getHeight', 'block', 'blockchainHeight'],
  ['blocks/getStatus', 'block', 'blockchainStatus'],
  ['delegates/get', 'delegate', 'get', { username: 'genesis_48' }],
  ['delegates', 'delegate', 'list', { limit: 3 }],
  ['delegates/voters', 'delegate', 'voters', { publicKey: KEY }],
  ['delegates/forging/getForgedByAccount', 'delegate', 'forgedData', { generatorPublicKey: KEY }],
  ['delegates/search', 'delegate', 'search', { q: 'late.one' }],
  ['peers/version', 'peer', 'version'],
  ['peers/get', 'peer', 'get', '127.0.0.1', 4000],
  ['accounts', 'account', 'get', { address: ADDRESS }],
  ['accounts/getBalance', 'account', 'balance', { address: ADDRESS }],
  ['accounts/getPublicKey', 'account', 'publicKey', { address: ADDRESS }],
  ['accounts/delegates', 'account', 'votes', { address: ADDRESS }],
  ['transactions/get', 'transaction', 'get', TRANSACTION],
  ['transactions/unconfirmed/get', 'transaction', 'getUnconfirmed', NOTHING],
  ['transactions', 'transaction', 'list', { limit: 10, offset: 0 }],
];

const ARK_CLIENT: readonly Call[] = [
  ['signatures/fee', 'signatures', 'fee'],
  ['loader/status', 'loader', 'status'],
  ['loader/status/sync', 'loader', 'syncing'],
  ['loader/autoconfigure', 'loader', 'configuration'],
  ['blocks', 'blocks', 'all', { limit: 2 }],
  ['blocks/get', 'blocks', 'get', '8747248611050295535'],
  ['blocks/getEpoch', 'blocks', 'epoch'],
  ['blocks/getFee', 'blocks', 'fee'],
  ['blocks/getFees', 'blocks', 'fees'],
  ['blocks/getHeight', 'blocks', 'height'],
  ['blocks/getMilestone', 'blocks', 'milestone'],
  ['blocks/getNethash', 'blocks', 'nethash'],
  ['blocks/getReward', 'blocks', 'reward'],
  ['blocks/getStatus', 'blocks', 'status'],
  ['blocks/getSupply', 'blocks', 'supply'],
  ['delegates', 'delegates', 'all', { limit: 3 }],
  ['delegates/get', 'delegates', 'get', 'genesis_48'],
  ['delegates/count', 'delegates', 'count'],
  ['delegates/fee', 'delegates', 'fee'],
  ['delegates/forging/getForgedByAccount', 'delegates', 'forged', KEY],
  ['delegates/search', 'delegates', 'search', { q: 'late.one' }],
  ['delegates/voters', 'delegates', 'voters', KEY],
  ['peers/get', 'peers', 'get', '127.0.0.1', 4000],
  ['peers/version', 'peers', 'version'],
  ['accounts/getAllAccounts', 'accounts', 'all', { limit: 1 }],
  ['accounts', 'accounts', 'get', ADDRESS],
  ['accounts/count', 'accounts', 'count'],
  ['accounts/delegates', 'accounts', 'delegates', ADDRESS],
  ['accounts/delegates/fee', 'accounts', 'fee'],
  ['accounts/getBalance', 'accounts', 'balance', ADDRESS],
  ['accounts/getPublicKey', 'accounts', 'publicKey', ADDRESS],
  ['accounts/top', 'accounts', 'top', { limit: 1 }],
  ['transactions', 'transactions', 'all', { limit: 10, offset: 0 }],
  ['transactions/get', 'transactions', 'get', TRANSACTION],
  ['transactions/unconfirmed/get', 'transactions', 'getUnconfirmed', NOTHING],
];

const done = (calls: readonly Call[]): readonly Call[] => calls.filter(([route]) => DONE.includes(route));

interface Body {
  readonly transactions?: unknown;
  readonly blocks?: unknown;
}

/** What docs/differences.md lists: the node is alone in its network, has another port, and estimates the length of lists. */
const isKnownDifference = ({ transactions, blocks }: Body, name: string): boolean =>
  ['blocksCount', 'ports'].includes(name) ||
  (name === 'blocks' && typeof blocks === 'number') ||
  (name === 'count' && (Array.isArray(transactions) || Array.isArray(blocks)));

const withoutKnownDifferences = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, function (this: Body, name, value: unknown) {
      return isKnownDifference(this, name) ? undefined : value;
    }),
  );

describePrograms('programs that spoke to real nodes', () => {
  let served: ServedIndex;
  /** It repeats what the node answered, and fails for anything that was not recorded. */
  let node: CoreApiStandIn;
  let programs: Programs;
  beforeAll(async () => {
    programs = new Programs();
    node = await CoreApiStandIn.start('core-2.4');
    node.intercept = repeatedAnswers(
      recordedRequests.filter(({ headers }) => headers['API-Version'] === '1'),
      599,
    );
    served = await ServedIndex.open('core-2.4-full');
  });
  afterAll(async () => {
    await served.close();
    await node.close();
    await programs.end();
  });

  const expectSame = async (callAt: (url: string) => CallProgram, [, ...call]: Call): Promise<void> => {
    const fromNode = await callAt(node.url)(...call);
    expect(fromNode).toBeDefined();
    expect(withoutKnownDifferences(await callAt(served.coreV1Url)(...call))).toEqual(
      withoutKnownDifferences(fromNode),
    );
  };

  it.each(done(ARK_TS).map((call) => [call.slice(1, 3).join('.'), call] as const))(
    'ark-ts gets the same from %s as from the node',
    async (_, call) => {
      await expectSame((url) => programs.of('ark-ts', url), call);
    },
  );

  it.each(done(ARK_CLIENT).map((call) => [call.slice(1, 3).join('.'), call] as const))(
    '@arkecosystem/client gets the same from %s as from the node',
    async (_, call) => {
      await expectSame((url) => programs.of('client of version 1', url), call);
    },
  );

  it('both find the api in its own list of peers', async () => {
    const peer = {
      ip: '127.0.0.1',
      port: Number(new URL(served.coreV1Url).port),
      height: 317,
      status: 'OK',
    };
    expect(await programs.of('ark-ts', served.coreV1Url)('peer', 'list')).toMatchObject({ peers: [peer] });
    expect(await programs.of('client of version 1', served.coreV1Url)('peers', 'all')).toMatchObject({
      peers: [peer],
    });
  });

  it('ark-ts shows why a transaction is refused', async () => {
    const refused = await programs.of('ark-ts', served.coreV1Url)('transaction', 'post', { id: NOTHING });
    expect(refused).toMatchObject({ success: false, error: expect.stringContaining('a node') as unknown });
  });
});
