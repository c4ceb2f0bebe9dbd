import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRecording } from '@roundhouse/testing';
import { parseLosslessJson } from '@roundhouse/chain';
import { ServedIndex } from './served-index.js';
import { asOurVoters, withBigBalances, type VoterAnswer } from './voters.js';

type Json = Record<string, unknown>;

const capture = (file: string): Map<string, Json> =>
  new Map(
    readRecording<{ method: string; path: string; status: number; body: string }>('core-3.9', file)
      .filter(({ method, status }) => method === 'GET' && status === 200)
      .map(({ path, body }) => [path, parseLosslessJson(body) as Json]),
  );

const running = capture('core-api-v3.ndjson.gz');
/** Recorded at the same head, after a restart of the node: every weight is the sum that the rule requires. */
const restarted = capture('core-api-v3-after-restart.ndjson.gz');

interface NodeDelegate {
  username: string;
  address: string;
  publicKey: string;
  votes: string;
  isResigned: boolean;
  blocks: { produced: number };
  forged: { fees: string; rewards: string; total: string };
}

const dataOf = <T>(answers: Map<string, Json>, path: string): T => (answers.get(path) as { data: T }).data;
const delegates = dataOf<NodeDelegate[]>(restarted, '/api/delegates?page=1&limit=100');
const usernames = new Map(delegates.map(({ address, username }) => [address, username]));

describe('what a Core 3.9 node answered at its head', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await ServedIndex.open('core-3.9');
  });
  afterAll(() => served.close());

  it('the height, the id and the supply are the same', async () => {
    const { block, supply } = dataOf<{ block: { height: number; id: string }; supply: string }>(
      running,
      '/api/blockchain',
    );
    expect(await served.get('/api/blocks/getHeight')).toEqual({ ...block, success: true });
    expect(String((await served.get<{ supply: bigint }>('/api/blocks/getSupply')).supply)).toBe(supply);
  });

  it('the fees, the reward and the network are those of its configuration', async () => {
    const configuration = dataOf<{
      constants: { reward: number; fees: { staticFees: Record<string, number> } };
      [key: string]: unknown;
    }>(running, '/api/node/configuration');
    const { reward, fees } = configuration.constants;
    expect(await served.get('/api/blocks/getReward')).toEqual({ reward, success: true });
    expect(await served.get('/api/blocks/getFee')).toEqual({
      fee: fees.staticFees['transfer'],
      success: true,
    });
    expect(await served.get('/api/signatures/fee')).toEqual({
      fee: fees.staticFees['secondSignature'],
      success: true,
    });
    expect(await served.get('/api/delegates/fee')).toMatchObject({
      fee: fees.staticFees['delegateRegistration'],
    });
    const { nethash, token, symbol, explorer, version } = configuration;
    expect(await served.get('/api/loader/autoconfigure')).toEqual({
      success: true,
      network: { nethash, token, symbol, explorer, version },
    });
  });

  it('every block is the same', async () => {
    const pages = [...running].filter(([path]) =>
      /^\/api\/blocks\?orderBy=height:asc&transform=false&page=\d+&limit=100$/.test(path),
    );
    const blocks = pages.flatMap(([, body]) => (body as { data: Json[] }).data);
    expect(blocks).toHaveLength(322);
    for (const { previousBlock, totalAmount, totalFee, reward, ...rest } of blocks) {
      const { block } = await served.get<{ block: Json }>(`/api/blocks/get?id=${String(rest['id'])}`);
      const { confirmations, ...answer } = block;
      expect(confirmations).toBe(322 - Number(rest['height']));
      expect(answer).toEqual({
        ...rest,
        previousBlock: previousBlock ?? '0',
        ...parseAmounts({ totalAmount, totalFee, reward }),
      });
    }
  });

  it('the delegates are the same, with their weights and produced blocks after the node’s restart', async () => {
    expect(await served.get('/api/delegates/count')).toEqual({ count: delegates.length, success: true });
    for (const { username, address, publicKey, votes, blocks } of delegates) {
      const path = `/api/delegates/search?q=${encodeURIComponent(username)}`;
      const found = (await served.get<{ delegates: Json[] }>(path)).delegates.find(
        (each) => each['username'] === username,
      );
      expect(found).toMatchObject({
        username,
        address,
        publicKey,
        vote: votes,
        producedblocks: blocks.produced,
      });
    }
  });

  it('each delegate has the same voters with the same balances', async () => {
    for (const { publicKey } of delegates) {
      const voters = dataOf<VoterAnswer[]>(restarted, `/api/delegates/${publicKey}/voters?page=1&limit=100`);
      const { accounts } = await served.get<{ accounts: { balance: number | bigint }[] }>(
        `/api/delegates/voters?publicKey=${publicKey}`,
      );
      expect(withBigBalances(accounts)).toEqual(asOurVoters(voters, usernames));
    }
  });

  it('each delegate has forged the same', async () => {
    for (const { publicKey, forged } of delegates) {
      expect(
        await served.get(`/api/delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey}`),
      ).toEqual({
        success: true,
        ...parseAmounts({ fees: forged.fees, rewards: forged.rewards, forged: forged.total }),
      });
    }
  });
});

/** Amounts as the lossless parser returns them: numbers while they are safe. */
const parseAmounts = (amounts: Record<string, unknown>): Json => {
  const members = Object.entries(amounts).map(([key, value]) => `"${key}":${String(value)}`);
  return parseLosslessJson(`{${members.join(',')}}`) as Json;
};
