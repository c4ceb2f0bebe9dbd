import { afterEach, describe, expect, it } from '@jest/globals';
import { addressOf, LASTING, TransactionType, type Block, type VotePeriod } from '@roundhouse/chain';
import { findViolations, randomChain, snapshotTables } from '@roundhouse/testing';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { loadLedger } from './load-ledger.js';
import { undoTo } from './undo-to.js';

const BLOCKS = 160;
// Few accounts, so that they vote often.
const { network, blocks } = randomChain({ seed: 77, blocks: BLOCKS, accounts: 14 });
/** As many blocks as the harness commits together. */
const BATCH_BLOCKS = 23;

/** Each vote with its place. */
const votesIn = (of: readonly Block[]) =>
  of.flatMap(({ height, transactions }) =>
    transactions
      .filter(({ type, typeGroup }) => type === TransactionType.Vote && typeGroup === 1)
      .flatMap(({ senderPublicKey, asset }) =>
        (asset!['votes'] as string[]).map((vote) => ({
          height,
          address: addressOf(senderPublicKey, network.pubKeyHash),
          vote: vote.startsWith('+') ? vote.slice(1) : null,
        })),
      ),
  );

type Period = Omit<VotePeriod, 'account'>;

/** The periods that follow from the votes: for each account, the last vote of each block. */
const periodsOf = (of: readonly Block[]): Period[] => {
  const periods: Period[] = [];
  const votes = votesIn(of);
  for (const address of new Set(votes.map((vote) => vote.address))) {
    const ofAddress = votes.filter((vote) => vote.address === address);
    const lastOfBlock = ofAddress.filter(({ height }, place) => ofAddress[place + 1]?.height !== height);
    const changes = lastOfBlock.filter(({ vote }, place) => (lastOfBlock[place - 1]?.vote ?? null) !== vote);
    changes.forEach(({ height, vote }, place) => {
      if (vote === null) return;
      const untilHeight = changes[place + 1]?.height ?? LASTING;
      periods.push({ address, fromHeight: height, untilHeight, vote });
    });
  }
  return periods;
};

const sorted = (periods: readonly Period[]): Period[] =>
  periods.toSorted((one, other) =>
    one.address < other.address || (one.address === other.address && one.fromHeight < other.fromHeight)
      ? -1
      : 1,
  );

describe('the history of an index', () => {
  const open: IndexedChain[] = [];
  const indexed = async (of: readonly Block[], keepsHistory = true): Promise<IndexedChain> => {
    const index = await IndexedChain.create(network, of, 10_000, keepsHistory);
    open.push(index);
    return index;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  const storedPeriods = async ({ client }: IndexedChain): Promise<Period[]> =>
    (
      await client.query<Period>(
        `SELECT address, from_height AS "fromHeight", until_height AS "untilHeight", encode(history_votes.vote, 'hex') AS vote
         FROM history_votes`,
      )
    ).rows;

  it('has one period for each vote that holds after a block, however often an account votes in it', async () => {
    const votes = votesIn(blocks);
    const countOf = (part: (height: number) => number): number =>
      new Set(votes.map(({ address, height }) => `${address} ${part(height)}`)).size;
    // Accounts vote several times within a block, and in several blocks of a batch.
    expect(countOf((height) => height)).toBeLessThan(votes.length);
    expect(countOf((height) => Math.ceil(height / BATCH_BLOCKS))).toBeLessThan(countOf((height) => height));
    const index = await indexed(blocks);
    expect(sorted(await storedPeriods(index))).toEqual(sorted(periodsOf(blocks)));
  });

  it.each([BLOCKS - 1, 139, 138, 92, 47, 1])(
    'has no trace of blocks above %i that were undone',
    async (height) => {
      const [index, straight] = [await indexed(blocks), await indexed(blocks.slice(0, height))];
      await undoTo(index.client, blocks.at(-1)!, height);
      expect(await snapshotTables(index.client)).toEqual(await snapshotTables(straight.client));
      expect(await findViolations(index.client)).toEqual({});
      expect(sorted(await storedPeriods(index))).toEqual(sorted(periodsOf(blocks.slice(0, height))));
    },
  );

  it('is kept as the index began, also after a restart', async () => {
    for (const keepsHistory of [true, false]) {
      const { client } = await indexed(blocks.slice(0, 30), keepsHistory);
      expect((await client.query('SELECT has_history FROM head')).rows).toEqual([
        { has_history: keepsHistory },
      ]);
      expect((await loadLedger(client, network)).keepsHistory).toBe(keepsHistory);
      const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM history_balances');
      expect(Number(rows[0]!.count) > 0).toBe(keepsHistory);
    }
  });
});
