import { eventually, randomChain } from '@roundhouse/testing';
import { IndexerHarness, MemorySource, queueBackends } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 5, blocks: 20 });

interface Board {
  readonly queues: readonly {
    readonly name: string;
    readonly readOnlyMode: boolean;
    readonly counts: Readonly<Record<string, number>>;
  }[];
}

describe.each(queueBackends)('the board of queues on %s', (backend) => {
  let harness: IndexerHarness;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
  });

  afterEach(() => harness.close());

  it('shows our queues with their counts, and lets nobody change them', async () => {
    const source = new MemorySource(blocks, network);
    source.beforeBlocks = () => new Promise(() => undefined);
    const { operationsUrl } = await harness.start(source);
    await eventually('the source is asked for blocks', () => source.asked.length > 0);
    const page = await fetch(`${operationsUrl}/queues`);
    expect(page.headers.get('content-type')).toMatch(/html/);
    expect(await page.text()).toMatch(/Roundhouse/);
    const board = (await (await fetch(`${operationsUrl}/queues/api/queues`)).json()) as Board;
    expect(board.queues.map(({ name }) => name).sort()).toEqual(['apply', 'deliver', 'fetch', 'follow']);
    expect(board.queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(board.queues.find(({ name }) => name === 'fetch')!.counts['active']).toBe(1);
    const change = await fetch(`${operationsUrl}/queues/api/queues/fetch/pause`, { method: 'PUT' });
    expect(change.status).toBe(405);
  });
});
