import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBlockSource, type BlockSource } from '@roundhouse/source';
import {
  CoreApiStandIn,
  createEmptyDatabase,
  loadCoreDatabase,
  snapshotTables,
  type MisbehaviourOrder,
  type Recording,
  type TablesSnapshot,
} from '@roundhouse/testing';
import { archiveOf, networkOf, RECORDED_HEAD } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';

/** The tables of an index, and the violated invariants after each batch. */
interface Indexed {
  readonly tables: TablesSnapshot;
  readonly violations: readonly Record<string, string>[];
}

const BATCH_BLOCKS = 100;

const indexWhole = async (recording: Recording, source: BlockSource): Promise<Indexed> => {
  const index = await RecordedIndex.create(source, await networkOf(recording), {
    batchBlocks: BATCH_BLOCKS,
  });
  try {
    await index.indexTo(RECORDED_HEAD);
    return { tables: await snapshotTables(index.client), violations: index.violations };
  } finally {
    await index.close();
    await source.close();
  }
};

const allSound = Array.from({ length: Math.ceil(RECORDED_HEAD / BATCH_BLOCKS) }, () => ({}));

describe.each([
  // One request to detect Core's line, one for the network, one for the types of transactions, two for the form of the
  // newest ones, 4 for ranges of blocks, and one for 100 transactions of up to 100 blocks.
  ['core-2.4', 20],
  // Two requests to detect Core's line, one for the network, one for the types of transactions, 4 for ranges of blocks,
  // and one for the transactions of up to 60 blocks, 500 at most.
  ['core-3.9', 20],
] as const)('the recorded chain of %s', (recording, mostRequests) => {
  let fromArchive: Indexed;
  let standIn: CoreApiStandIn;

  beforeAll(async () => {
    standIn = await CoreApiStandIn.start(recording);
    const network = await networkOf(recording);
    fromArchive = await indexWhole(
      recording,
      await createBlockSource({ urls: archiveOf(recording), network, verify: 'full' }),
    );
  });

  afterAll(() => standIn.close());

  it('keeps every invariant after every batch of the archive', () => {
    expect(fromArchive.violations).toEqual(allSound);
    expect(fromArchive.tables.blocks).toHaveLength(RECORDED_HEAD);
  });

  it("gives the same tables through the node's public API, with few requests", async () => {
    standIn.requests.length = 0;
    const source = await createBlockSource({ urls: standIn.url, verify: 'full' });
    const { tables, violations } = await indexWhole(recording, source);
    expect(violations).toEqual(allSound);
    expect(tables).toEqual(fromArchive.tables);
    expect(standIn.requests.length).toBeLessThanOrEqual(mostRequests);
  });

  it('gives the same tables if the node sometimes refuses, fails, breaks off and hangs', async () => {
    const misbehaviours: MisbehaviourOrder[] = [
      { kind: 'failing', status: 429, retryAfter: 0.05 },
      // Its queue of queries is full.
      { kind: 'failing', status: 429, retryAfter: 0 },
      { kind: 'failing', status: 500 },
      { kind: 'cut-off' },
      { kind: 'hanging' },
    ];
    let requests = 0;
    standIn.intercept = () => {
      requests += 1;
      if (requests % 3 === 0) standIn.misbehave(...misbehaviours.splice(0, 1));
    };
    const told: string[] = [];
    const source = await createBlockSource({
      urls: standIn.url,
      timeoutMs: 1_000,
      onUnavailable: ({ kind }) => told.push(kind),
    });
    const { tables } = await indexWhole(recording, source);
    standIn.intercept = () => undefined;
    expect(tables).toEqual(fromArchive.tables);
    // The node is part of this process: if that stalls, other requests time out too.
    const others = told.filter((kind) => kind !== 'timeout');
    expect(others).toEqual(['rate-limited', 'rate-limited', 'http-5xx', 'unreachable']);
    expect(told).toContain('timeout');
  });

  it("gives the same tables through the node's database", async () => {
    const database = await createEmptyDatabase();
    try {
      await loadCoreDatabase(database.url, recording);
      const network = await networkOf(recording);
      const { tables, violations } = await indexWhole(
        recording,
        await createBlockSource({ urls: database.url, network, verify: 'full' }),
      );
      expect(violations).toEqual(allSound);
      expect(tables).toEqual(fromArchive.tables);
    } finally {
      await database.drop();
    }
  });

  it('reports at the public API the network that was configured', async () => {
    const source = await createBlockSource({ urls: standIn.url });
    expect(await source.network()).toEqual(await networkOf(recording));
    await source.close();
  });
});
