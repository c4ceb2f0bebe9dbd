import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Network } from '@roundhouse/chain';
import { createBlockSource, loadNetwork, type BlockSource } from '@roundhouse/source';
import {
  CoreApiStandIn,
  createEmptyDatabase,
  loadCoreDatabase,
  loadCoreLines,
  snapshotTables,
  type ArchiveBlock,
  type MisbehaviourOrder,
  type NodeConfiguration,
  type Recording,
  type TablesSnapshot,
} from '@roundhouse/testing';
import { verifyIndex } from '@roundhouse/storage';
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

interface OddChain {
  readonly lines: readonly string[];
  readonly configuration: NodeConfiguration;
  readonly network: Network;
}

describe('a chain as real networks of the family have them', () => {
  const open = async (name: string): Promise<OddChain> => {
    const folder = fileURLToPath(new URL(`../../../test-data/odd-chains/${name}/`, import.meta.url));
    const path = join(folder, 'network.json');
    return {
      lines: (await readFile(join(folder, 'chain.ndjson'), 'utf8')).trimEnd().split('\n'),
      configuration: JSON.parse(await readFile(path, 'utf8')) as NodeConfiguration,
      network: await loadNetwork(path),
    };
  };

  /** Indexes all blocks of a source, verifies the index, and returns its tables; `number` is what this query found. */
  const tablesFrom = async (
    urls: string,
    { lines, network }: OddChain,
    query = 'SELECT NULL AS number',
  ): Promise<{ readonly tables: TablesSnapshot; readonly number: string | null }> => {
    // A node names its network itself.
    const named = urls.startsWith('http') ? null : network;
    const source = await createBlockSource({ urls, network: named, verify: 'full' });
    const index = await RecordedIndex.create(source, network, { keepsHistory: true });
    try {
      await index.indexTo(lines.length);
      const tables = await snapshotTables(index.client);
      const { rows } = await index.client.query<{ number: string | null }>(query);
      expect(index.violations).toEqual([{}]);
      expect(await verifyIndex(index.client, { listed: 3 })).toMatchObject({ badBlocks: [], tables: [] });
      return { tables, number: rows[0]!.number };
    } finally {
      await index.close();
      await source.close();
    }
  };

  const fromArchive = async (chain: OddChain, lines = chain.lines, query?: string) => {
    const file = join(tmpdir(), `odd-${process.pid}.ndjson`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const found = await tablesFrom(`file:${file}`, chain, query);
    await rm(file);
    return found;
  };

  const expectFromEverySource = async (chain: OddChain, expected: TablesSnapshot): Promise<void> => {
    expect((await fromArchive(chain)).tables).toEqual(expected);
    const blocks = chain.lines.map((line) => JSON.parse(line) as ArchiveBlock);
    const node = await CoreApiStandIn.startLine('3.0.6-3.9', chain.configuration, blocks);
    expect((await tablesFrom(node.url, chain)).tables).toEqual(expected);
    await node.close();
    const database = await createEmptyDatabase();
    await loadCoreLines(database.url, chain.lines);
    expect((await tablesFrom(database.url, chain)).tables).toEqual(expected);
    await database.drop();
  };

  it('that pays from height 1, while its genesis block has no reward, is indexed from every source', async () => {
    const chain = await open('reward-from-height-1');
    const { tables, number: rewards } = await fromArchive(
      chain,
      chain.lines,
      'SELECT h.supply - g.total_amount AS number FROM head h, blocks g WHERE g.height = 1',
    );
    expect(rewards).toBe('600000000');
    await expectFromEverySource(chain, tables);
  });

  it('with members as Core 2.3 named them is indexed as with the later name, from every source', async () => {
    const chain = await open('members-of-core-2.3');
    const renamed = chain.lines.map((line) =>
      line.replaceAll('"multisignature":', '"multiSignatureLegacy":'),
    );
    expect(renamed).not.toEqual(chain.lines);
    await expectFromEverySource(chain, (await fromArchive(chain, renamed)).tables);
  });

  it('whose number of active delegates changes by the rule of Core 3 is indexed from every source', async () => {
    const chain = await open('delegates-change-core-3');
    const { tables, number: rounds } = await fromArchive(
      chain,
      chain.lines,
      'SELECT count(*) AS number FROM rounds WHERE first_slot > 0',
    );
    expect(rounds).not.toBe('0');
    await expectFromEverySource(chain, tables);
  });
});
