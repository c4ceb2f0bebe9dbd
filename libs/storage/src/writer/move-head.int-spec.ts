import { afterEach, describe, expect, it } from '@jest/globals';
import { randomChain, type RandomChain } from '@roundhouse/testing';
import { forgerKeys } from '@roundhouse/entities/sql';
import { resetIndex } from '../reset.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { undoTo } from './undo-to.js';

interface EventRow {
  readonly sequence: string;
  readonly kind: string;
  readonly data: string;
}

describe('the events', () => {
  let index: IndexedChain;
  afterEach(() => index.close());

  const indexed = async (blocks: number): Promise<RandomChain> => {
    const chain = randomChain({ seed: 6, blocks });
    index = await IndexedChain.create(chain.network, chain.blocks);
    return chain;
  };

  const listEvents = async (): Promise<EventRow[]> => {
    const { rows } = await index.client.query<EventRow>(
      'SELECT sequence, kind, data::text AS data FROM events ORDER BY sequence',
    );
    return rows;
  };

  it('report each batch by its newest block, with all digits and on one line', async () => {
    const { blocks } = await indexed(46);
    const heads = (await listEvents()).filter(({ kind }) => kind === 'head');
    expect(heads).toHaveLength(2);
    const head = blocks[45]!;
    const { rows } = await index.client.query<{ username: string; supply: string }>(
      'SELECT username, supply FROM delegates, head WHERE public_key = $1',
      [Buffer.from(head.generatorPublicKey, 'hex')],
    );
    expect(heads[1]!.data).toBe(
      `{"height":46,"id":"${head.id}","timestamp":${head.timestamp},"generatorPublicKey":"${head.generatorPublicKey}",` +
        `"username":"${rows[0]!.username}","numberOfTransactions":${head.numberOfTransactions},` +
        `"totalAmount":${head.totalAmount},"totalFee":${head.totalFee},"reward":${head.reward},` +
        `"forged":${head.reward + head.totalFee},"blocks":23,"supply":${rows[0]!.supply}}`,
    );
  });

  it('report the newest round of a batch, and the delegates that forged nothing in the round before', async () => {
    const { blocks } = await indexed(69);
    const events = await listEvents();
    const round = events.findLast(({ kind }) => kind === 'round')!;
    const { rows } = await index.client.query<{
      round: number;
      first_height: number;
      forging_order: string[];
    }>(
      `SELECT round, first_height, ${forgerKeys('forging_order')} AS forging_order FROM rounds ORDER BY round DESC LIMIT 2`,
    );
    const [begun, ended] = rows as [(typeof rows)[0], (typeof rows)[0]];
    const forgers = new Set(
      blocks
        .filter(({ height }) => height >= ended.first_height && height < begun.first_height)
        .map(({ generatorPublicKey }) => generatorPublicKey),
    );
    const missed = ended.forging_order.filter((key) => !forgers.has(key));
    expect(round.data).not.toContain('\n');
    expect(JSON.parse(round.data)).toEqual({
      round: begun.round,
      firstHeight: begun.first_height,
      forgingOrder: begun.forging_order,
      ended: {
        round: ended.round,
        firstHeight: ended.first_height,
        missed: missed.map((publicKey) => ({ publicKey, username: expect.any(String) })),
      },
    });
  });

  it('report an undo with the common block, and then the new head', async () => {
    const { blocks } = await indexed(40);
    const before = await listEvents();
    const from = { height: 40, id: blocks[39]!.id };
    await undoTo(index.client, from, 33);
    const [fork, head, ...more] = (await listEvents()).slice(before.length);
    expect(fork).toMatchObject({
      kind: 'fork',
      data: `{"commonHeight":33,"commonId":"${blocks[32]!.id}","from":{"height":40,"id":"${from.id}"}}`,
    });
    expect(head!.kind).toBe('head');
    expect(JSON.parse(head!.data)).toMatchObject({ height: 33, id: blocks[32]!.id, blocks: 0 });
    expect(more).toEqual([]);
  });

  it('report nothing if an undo fails', async () => {
    await indexed(30);
    const before = await listEvents();
    await expect(undoTo(index.client, { height: 30, id: 'another' }, 20)).rejects.toThrow();
    expect(await listEvents()).toEqual(before);
  });

  it('outlive a reset of the index, report it as an undo of everything, and continue with larger ids', async () => {
    const { blocks } = await indexed(10);
    const before = await listEvents();
    await resetIndex(index.client);
    const after = await listEvents();
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)!.data).toBe(
      `{"commonHeight":0,"commonId":"0","from":{"height":10,"id":"${blocks[9]!.id}"}}`,
    );
    expect(BigInt(after.at(-1)!.sequence)).toBeGreaterThan(BigInt(before.at(-1)!.sequence));
    await resetIndex(index.client);
    expect(await listEvents()).toEqual(after);
  });

  it('have ids that grow even if the clock goes back, and only the newest are kept', async () => {
    const { blocks } = await indexed(40);
    const ahead = (BigInt(Date.now()) + 60_000_000n) * 1000n;
    await index.client.query(
      `INSERT INTO events SELECT $1::bigint + n, 'head', '{}' FROM generate_series(1, 800) n`,
      [String(ahead)],
    );
    await undoTo(index.client, { height: 40, id: blocks[39]!.id }, 39);
    const events = await listEvents();
    expect(events.slice(-2).map(({ kind, sequence }) => [kind, BigInt(sequence) - ahead])).toEqual([
      ['fork', 801n],
      ['head', 802n],
    ]);
    expect(events).toHaveLength(501);
  });
});
