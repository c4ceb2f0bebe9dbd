import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { buildMissingIndex, readMissingIndexes } from '@roundhouse/entities';
import { eventually, goodCases } from '@roundhouse/testing';
import pg from 'pg';
import { answersOf, listFailed } from './support/answers-of.js';
import { startApi } from './support/api-under-test.js';
import { dropListIndexes } from './support/drop-list-indexes.js';
import { everyRequest } from './support/every-request.js';
import { getText } from './support/requests.js';
import { TRAFFIC } from './support/served-indexes.js';
import { GrowingIndex } from './support/growing-index.js';

/** What needs the indexes of lists. */
const REFUSED = [
  /^\/api\/accounts(\?|$)/,
  /^\/api\/accounts\/[^/]+\/(transactions|statement)/,
  /^\/api\/(transactions|blocks\/[^/]+\/transactions)\?(address|sender|recipient|type|typeGroup)=/,
  /^\/api\/delegates\/[^/]+\/blocks/,
  /^\/api\/history\/accounts\/[^/]+\?/,
  /^\/api\/history\/delegates\/[^/]+\/payouts\?/,
  /^\/api\/v1\/accounts\/(top\?|getAllAccounts\?.*orderBy=balance)/,
  /^\/api\/v1\/transactions\?.*type=/,
];

const SENTENCE = 'This cannot be answered during the first sync of the index; try again when it is done.';

describe('an api during a first sync', () => {
  let index: GrowingIndex;
  let client: pg.Client;
  let api: RunningApi;
  let requests: readonly string[];
  let complete: Awaited<ReturnType<typeof answersOf>>;

  beforeAll(async () => {
    index = await GrowingIndex.create(TRAFFIC.network, { keepsHistory: true });
    await index.apply(TRAFFIC.blocks);
    client = new pg.Client({ connectionString: index.url });
    await client.connect();
    const before = await startApi(index.url);
    requests = await everyRequest(before.url);
    complete = await answersOf(before.url, requests);
    await before.close();
    await dropListIndexes(client);
    api = await startApi(index.url);
  });

  afterAll(async () => {
    await api.close();
    await client.end();
    await index.close();
  });

  it('refuses only what would read whole tables, with a sentence', async () => {
    const answers = await answersOf(api.url, requests);
    const refused = answers.filter(({ status }) => status === 503);
    const expected = requests.filter((path) => REFUSED.some((pattern) => pattern.test(path)));
    expect(refused.map(({ path }) => path)).toEqual(expected);
    expect(REFUSED.filter((pattern) => !expected.some((path) => pattern.test(path)))).toEqual([]);
    for (const { text } of refused) expect(text).toContain(SENTENCE);
    const { headers } = await getText(api.url, '/api/accounts');
    expect(headers.get('retry-after')).toBe('1');
    const others = ({ status }: { status: number }): boolean => status !== 503;
    expect(listFailed(answers.filter(others))).toEqual([]);
  });

  it('counts no nonces of version 1 for version 2', async () => {
    const sent = TRAFFIC.blocks.flatMap(({ transactions }) => transactions);
    const idOf = (wanted: number): string => sent.find(({ version }) => version === wanted)!.id;
    const paths = [`transactions/${idOf(2)}`, `transactions/${idOf(1)}`, `votes/${idOf(1)}`];
    const answers = await answersOf(
      api.url,
      [...paths, 'node/configuration/crypto'].map((path) => `/api/v2/${path}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
    expect(answers[1]!.text).toContain(SENTENCE);
  });

  it('answers lists of blocks by height for version 2, and no others', async () => {
    const paths = [
      'blocks',
      'blocks?height.from=9&orderBy=height:asc',
      'blocks?generatorPublicKey=',
      'blocks?reward=0',
    ];
    const key = TRAFFIC.blocks.at(-1)!.generatorPublicKey;
    const requests = paths.map((path) => `/api/v2/${path.replace(/=$/, `=${key}`)}`);
    const lists = ['transactions', 'wallets', 'delegates'].map((path) => `/api/v2/${path}`);
    const answers = await answersOf(api.url, [...requests, ...lists]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503, 503, 503, 503]);
  });

  it('answers all 23 documented routes', async () => {
    const { text } = await getText(api.url, '/api/delegates?limit=1');
    const [{ publicKey, username }] = (JSON.parse(text) as { delegates: [Record<string, string>] }).delegates;
    const { height, id: blockId } = TRAFFIC.blocks.at(-1)!;
    const paths = goodCases({ publicKey: publicKey!, username: username!, blockId, height }).map(([path]) =>
      path.replace('limit=51', 'limit=7'),
    );
    expect(listFailed(await answersOf(api.url, paths))).toEqual([]);
  });

  it('answers the rest as soon as the last index is there, without a new block', async () => {
    const status = async (): Promise<number> => (await getText(api.url, '/api/accounts')).status;
    for (let { length } = await readMissingIndexes(client); length > 1; length -= 1)
      await buildMissingIndex(client);
    expect(await status()).toBe(503);
    await buildMissingIndex(client);
    await eventually('lists are answered', async () => (await status()) === 200);
    const bodies = (answers: typeof complete) =>
      answers.filter(({ path }) => /^\/api\/(accounts|transactions|v1\/transactions)/.test(path));
    expect(bodies(await answersOf(api.url, requests))).toEqual(bodies(complete));
  });
});
