import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { createWebhook, pruneEvents, resetIndex, updateWebhook } from '@roundhouse/storage';
import { eventually, randomChain } from '@roundhouse/testing';
import { pino } from 'pino';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { IndexerHarness, MemorySource, queueBackends } from '../indexer.harness.js';
import { TestReceiver } from '../webhooks/receiver.harness.js';

const { network, blocks } = randomChain({ seed: 8, blocks: 90 });
const heightsFrom = (from: number, to: number): number[] => blocks.slice(from - 1, to).map((b) => b.height);

const TOKEN = '0123456789abcdef0123456789abcdef';
const SETTINGS = { CORE_WEBHOOKS_TARGETS: 'any' };

const START = 50;

describe.each(queueBackends)('webhooks, with queues on %s', (backend) => {
  let harness: IndexerHarness;
  let source: MemorySource;
  let receiver: TestReceiver;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    source = new MemorySource(blocks.slice(0, START), network);
    receiver = await TestReceiver.start();
  });

  afterEach(async () => {
    receiver.respond = (response) => response.end();
    await harness.close();
    await receiver.close();
  });

  const register = async (target: string, event = 'block.applied') => {
    const content = { id: randomUUID(), event, target, enabled: true, conditions: [] };
    await createWebhook(harness.pool, content, { token: TOKEN, tokenRest: Buffer.alloc(32) });
    return content;
  };

  const growTo = async (height: number): Promise<void> => {
    source.chain = blocks.slice(0, height);
    await harness.reach(blocks[height - 1]!);
  };

  const told = (path: string): number[] =>
    receiver.dataAt(path).map((data) => (data as { readonly height: number }).height);

  /** Each height once, in the order in which they came first. */
  const toldOnce = (path: string): number[] => [...new Set(told(path))];

  const waitFor = (path: string, count: number): Promise<unknown> =>
    eventually(`${path} gets ${count} events`, () => toldOnce(path).length >= count, 60_000);

  it('are told of each block above the head at which they began, once and in order, by one of two indexers', async () => {
    // Long enough that no post is repeated on a busy machine.
    const patient = { ...SETTINGS, CORE_WEBHOOKS_TIMEOUT: '30000' };
    await harness.start(source, patient);
    await harness.start(source, patient);
    await harness.reach(blocks[START - 1]!);
    await register(`${receiver.url}/a`);
    await growTo(90);
    await waitFor('/a', 40);
    expect(told('/a')).toEqual(heightsFrom(START + 1, 90));
  });

  it('are told of young blocks, also while the source claims a height far above', async () => {
    const epoch = new Date(Date.now() - blocks.at(-1)!.timestamp * 1_000).toISOString();
    source.ownNetwork = {
      ...network,
      milestones: [{ ...network.milestones[0]!, epoch }, ...network.milestones.slice(1)],
    };
    await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    await register(`${receiver.url}/a`);
    source.boast = 1_000_000;
    await growTo(60);
    await waitFor('/a', 10);
    expect(toldOnce('/a')).toEqual(heightsFrom(START + 1, 60));
  });

  it('get an event until they accept it, and what follows only then, while others get all', async () => {
    await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    for (const path of ['/fails', '/hangs', '/redirects', '/works']) await register(`${receiver.url}${path}`);
    await register('http://127.0.0.1:1/closed');
    const seen = new Map<string, number>();
    receiver.respond = (response, { path }) => {
      const times = (seen.get(path) ?? 0) + 1;
      seen.set(path, times);
      if (path === '/works' || times > 2) response.end();
      else if (path === '/fails') response.writeHead(500).end();
      else if (path === '/redirects')
        response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    };
    await growTo(60);
    await waitFor('/works', 10);
    for (const path of ['/fails', '/hangs', '/redirects']) {
      await waitFor(path, 10);
      expect(toldOnce(path)).toEqual(heightsFrom(START + 1, 60));
      // Twice in vain, then accepted.
      expect(told(path).filter((height) => height === START + 1).length).toBeGreaterThanOrEqual(3);
    }
    expect(told('/elsewhere')).toEqual([]);
  });

  it('are told what meets their new conditions, although more waits all the time', async () => {
    await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    const content = await register(`${receiver.url}/a`);
    let answer = (): void => undefined;
    receiver.respond = (response) => void (answer = () => response.end());
    await growTo(60);
    await waitFor('/a', 1);
    const conditions = [{ key: 'height', condition: 'gt', value: 80 }];
    expect(await updateWebhook(harness.pool, content.id, { ...content, conditions })).toBe(true);
    receiver.respond = (response) => response.end();
    answer();
    await growTo(90);
    await waitFor('/a', 11);
    expect(toldOnce('/a')).toEqual([START + 1, ...heightsFrom(81, 90)]);
  });

  it('lose nothing when the process ends and all jobs are lost', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    await register(`${receiver.url}/a`);
    receiver.respond = (response) => response.writeHead(503).end();
    await growTo(70);
    await eventually('something is posted in vain', () => told('/a').length > 0);
    await indexer.stop();
    await harness.emptyQueues();
    receiver.respond = (response) => response.end();
    receiver.received.splice(0);
    await harness.start(source, SETTINGS);
    await waitFor('/a', 20);
    expect(toldOnce('/a')).toEqual(heightsFrom(START + 1, 70));
  });

  it('are not posted to private addresses by default, and no log has the token or what a receiver chose', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    await harness.start(source, {}, logger);
    await harness.reach(blocks[START - 1]!);
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001'])
      await register(`http://${host}:${port}/${TOKEN}`);
    await growTo(60);
    const refused = (): string[] =>
      lines.filter((line) => line.includes('the address of the receiver is private'));
    await eventually('all four are refused', () => refused().length >= 4);
    expect(receiver.received).toEqual([]);
    expect(lines.join('')).not.toContain(TOKEN);
  });

  it('say what they lost when more events wait than may', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    await register(`${receiver.url}/a`);
    receiver.respond = (response) => response.writeHead(503).end();
    await growTo(80);
    await eventually('something is posted in vain', () => told('/a').length > 0);
    await indexer.stop();
    const client = await harness.pool.connect();
    const lost = await pruneEvents(client, 10).finally(() => client.release());
    expect(lost).toEqual([{ id: expect.any(String), events: 20 }]);
    const { rows } = await harness.pool.query('SELECT dropped::integer FROM webhooks');
    expect(rows).toEqual([{ dropped: 20 }]);
    receiver.respond = (response) => response.end();
    receiver.received.splice(0);
    await harness.start(source, SETTINGS);
    await waitFor('/a', 10);
    expect(toldOnce('/a')).toEqual(heightsFrom(71, 80));
  });

  it('are told after a reset only of blocks above the head that the index had', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await harness.reach(blocks[START - 1]!);
    await register(`${receiver.url}/a`);
    await growTo(60);
    await waitFor('/a', 10);
    await indexer.stop();
    const client = await harness.pool.connect();
    await resetIndex(client).finally(() => client.release());
    await harness.start(source, SETTINGS);
    await growTo(70);
    await waitFor('/a', 20);
    expect(toldOnce('/a')).toEqual(heightsFrom(START + 1, 70));
  });

  it('are told nothing of blocks that are read in bulk, and all of those that follow', async () => {
    const inBulk = 40;
    source.segments = async function* () {};
    const reading = jest
      .spyOn(BulkBlocks.prototype, 'read')
      .mockImplementation(async (height) => (height <= inBulk ? blocks.slice(height - 1, inBulk) : null));
    await register(`${receiver.url}/a`);
    await harness.start(source, SETTINGS);
    await waitFor('/a', START - inBulk);
    expect(toldOnce('/a')).toEqual(heightsFrom(inBulk + 1, START));
    reading.mockRestore();
  });
});
