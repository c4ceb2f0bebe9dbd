import { decodeBlock } from '@roundhouse/blocks';
import { parseLosslessJson, type Block } from '@roundhouse/chain';
import { loadNetwork } from '@roundhouse/source';
import { createWebhook, KNOWN_EVENTS } from '@roundhouse/storage';
import { eventually, readRecording, recordingFile } from '@roundhouse/testing';
import { IndexerHarness, MemorySource } from '../indexer.harness.js';
import { TestReceiver } from '../webhooks/receiver.harness.js';

type Lines = Record<string, unknown>;

interface Registration extends Lines {
  readonly method: string;
  readonly status: number;
  readonly requestBody: string;
  readonly body: string;
}

interface Delivery extends Lines {
  readonly hook: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

interface Hook {
  readonly id: string;
  readonly event: string;
  readonly target: string;
  readonly token: string;
  readonly enabled: boolean;
  readonly conditions: readonly unknown[];
}

const deliveries = readRecording<Delivery>('core-3.9-full', 'webhooks-deliveries.ndjson.gz');

/** The registrations of before the blocks, with the name that the recorded requests have. */
const hooks = readRecording<Registration>('core-3.9-full', 'webhooks-management.ndjson.gz')
  .filter(({ method, status }) => method === 'POST' && status === 201)
  .map(({ body }) => (JSON.parse(body) as { data: Hook }).data)
  .map((hook) => ({ ...hook, name: new URL(hook.target).pathname.slice(1) }))
  .filter(({ event, name }) => KNOWN_EVENTS.includes(event) && deliveries.some(({ hook }) => hook === name));

/** The blocks in the order in which the node had them; some of them it undid. They may have arrived in another order. */
const received: readonly Block[] = deliveries
  .filter(({ hook }) => hook === 'block.received')
  .map(({ body }) => parseLosslessJson(body) as { readonly timestamp: number; readonly data: unknown })
  .map(({ timestamp, data }) => ({ timestamp, block: decodeBlock(data) }))
  .sort((one, other) => one.timestamp - other.timestamp || one.block.height - other.block.height)
  .map(({ block }) => block);

/** Chains that end where the node began another branch, and the last one. */
const branches = (genesis: Block): Block[][] => {
  const chains: Block[][] = [[genesis]];
  for (const block of received) {
    const chain = chains.at(-1)!;
    if (block.height > chain.length) chain.push(block);
    else chains.push([...chain.slice(0, block.height - 1), block]);
  }
  return chains;
};

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

interface Wallet {
  readonly publicKey: string;
  readonly attributes: { readonly attributes: { readonly delegate: { round: number; lastBlock?: unknown } } };
  /** Absent in copies. */
  readonly events?: unknown;
}

const undone = deliveries
  .filter(({ hook }) => hook === 'block.reverted')
  .map(({ body }) => (JSON.parse(body) as { data: Block }).data);

/** A node that undoes a block forgets which one its forger forged last, until it forges again. */
const undoneForgers = new Set(undone.map(({ generatorPublicKey }) => generatorPublicKey));

/** If it undoes the first block of a round, it copies the wallets of the round below by undoing all that round. */
const undoneRounds = new Set(undone.map(({ height }) => (height - 1) / 51));

const forgetsLastBlock = ({ publicKey, attributes, events }: Wallet): boolean =>
  undoneForgers.has(publicKey) || (!events && undoneRounds.has(attributes.attributes.delegate.round));

/** The order of a wallet's attributes is the history of the node's process. */
const comparedWallets = (body: string): string => {
  const posted = JSON.parse(body) as { readonly data: readonly Wallet[] | { readonly delegate: Wallet } };
  for (const wallet of 'delegate' in posted.data ? [posted.data.delegate] : posted.data)
    if (forgetsLastBlock(wallet)) delete wallet.attributes.attributes.delegate.lastBlock;
  return JSON.stringify(posted, sortedKeys);
};

const HAS_WALLETS = /"event":"(round\.created|round\.missed|forger\.missing)"\}$/;

/** When it was posted is the clock's. */
const withoutTime = (body: string): string => {
  const rest = body.replace(/^\{"timestamp":\d{13},/, '{');
  return HAS_WALLETS.test(rest) ? comparedWallets(rest) : rest;
};

const sorted = (texts: readonly string[]): string[] => [...texts].sort();

describe('what webhooks are told of the recorded chain', () => {
  let harness: IndexerHarness;
  let receiver: TestReceiver;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    receiver = await TestReceiver.start();
  });

  afterEach(async () => {
    await harness.close();
    await receiver.close();
  });

  it('is, for each hook, what the node posted: the same set of bodies with the same headers', async () => {
    const network = await loadNetwork(recordingFile('core-3.9-full', 'network.json'));
    const genesis = decodeBlock(readRecording('core-3.9-full', 'chain.ndjson.gz')[0]);
    const chains = branches(genesis);
    expect(chains.map((chain) => chain.length)).toEqual([162, 205, 352]);
    for (const { name, ...hook } of hooks) {
      const content = { ...hook, target: `${receiver.url}/${name}` };
      const token = hook.token.slice(0, 32);
      await createWebhook(harness.pool, content, { token, tokenRest: Buffer.alloc(32) });
    }
    const source = new MemorySource(chains[0]!, network);
    await harness.start(source, { CORE_WEBHOOKS_TARGETS: 'any', CORE_WEBHOOKS_TIMEOUT: '60000' });
    for (const chain of chains) {
      source.chain = chain;
      await harness.reach(chain.at(-1)!);
    }
    const known = new Set(hooks.map(({ name }) => name));
    const expected = deliveries.filter(({ hook }) => known.has(hook));
    const theirsOf = (name: string) => expected.filter(({ hook }) => hook === name);
    const oursOf = (name: string) => receiver.received.filter(({ path }) => path === `/${name}`);
    const isAll = (): boolean => receiver.received.length >= expected.length;
    await eventually('all is posted', isAll, 180_000).catch(async (cause: Error) => {
      const { rows } = await harness.pool.query<{ target: string; failures: number; delivered: string }>(
        'SELECT target, failures, delivered FROM webhooks ORDER BY delivered, target LIMIT 5',
      );
      const lacking = [...known]
        .filter((name) => oursOf(name).length < theirsOf(name).length)
        .map((name) => `${name}: ${oursOf(name).length} of ${theirsOf(name).length}`);
      throw new Error(`${cause.message}; ${lacking.join(', ')}; ${JSON.stringify(rows)}`, { cause });
    });
    for (const name of known) {
      const [theirs, ours] = [theirsOf(name), oursOf(name)];
      expect([name, sorted(ours.map(({ body }) => withoutTime(body)))]).toEqual([
        name,
        sorted(theirs.map(({ body }) => withoutTime(body))),
      ]);
      const { host } = new URL(receiver.url);
      const right = theirs[0]!.headers.map(([key, value]) => [key, key === 'Host' ? host : value]);
      const length = String(Buffer.byteLength(ours[0]!.body));
      expect(ours[0]!.headers).toEqual(
        right.map(([key, value]) => [key, key === 'content-length' ? length : value]),
      );
    }
    expect(undoneForgers.size).toBe(5);
    expect({ hooks: known.size, requests: expected.length }).toMatchInlineSnapshot(`
     {
       "hooks": 50,
       "requests": 4351,
     }
    `);
    const told = (path: string) =>
      receiver.dataAt(path).map((data) => (data as { readonly height: number }).height);
    expect(told('/block.applied')).toEqual(received.map(({ height }) => height));
    expect(told('/block.reverted')).toEqual([162, 161, 160, 205, 204]);
  });
});
