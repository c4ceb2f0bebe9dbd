import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressBook, MilestoneSchedule, type Block } from '@roundhouse/chain';
import { writeDayCursor } from '@roundhouse/dto';
import { createBlockSource } from '@roundhouse/source';
import { recordEndProof, settleChainEnd, writeChainEnd } from '@roundhouse/storage';
import { eventually, findViolations } from '@roundhouse/testing';
import { archiveOf, headOf, networkOf } from './recorded-chains.js';
import { ServedIndex } from './served-index.js';

const CHAIN = 'core-3.9-full';
const PATH = '/api/statistics/daily';
const DAY_MS = 86_400_000;

interface Day {
  readonly date: string;
  readonly isRunning: boolean;
  readonly firstHeight: number | null;
  readonly lastHeight: number | null;
}

interface Page {
  readonly days: readonly Day[];
  readonly nextCursor: string | null;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Amounts may arrive as numbers. */
const asBigInts = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, typeof each === 'number' ? BigInt(each) : each]),
  );

describe('the statistics of a chain with days without blocks', () => {
  let served: ServedIndex;
  /** From block 2 on: the genesis block is years older. */
  let all: readonly Day[];
  let blocks: readonly Block[];
  let dates: readonly string[];
  let blocktime: number;
  let addresses: AddressBook;

  beforeAll(async () => {
    served = await ServedIndex.open(CHAIN, undefined, { keepsHistory: true });
    const network = await networkOf(CHAIN);
    const source = await createBlockSource({ urls: archiveOf(CHAIN), network });
    blocks = await source.blocks(1, headOf(CHAIN));
    await source.close();
    const constants = new MilestoneSchedule(network.milestones).at(1);
    blocktime = constants.blocktime;
    addresses = new AddressBook(network.pubKeyHash);
    const epoch = Date.parse(constants.epoch);
    dates = blocks.map(({ timestamp }) => new Date(epoch + timestamp * 1000).toISOString().slice(0, 10));
    all = (await served.found<Page>(`${PATH}?from=2`)).days;
  });
  afterAll(() => served.close());

  const missedBefore = (index: number): number =>
    index < 2 ? 0 : (blocks[index]!.timestamp - blocks[index - 1]!.timestamp) / blocktime - 1;

  /** Counted from the blocks, without the arithmetic of the ledger. */
  const recounted = (date: string, newAccounts: number): object => {
    const indexes = [...dates.keys()].filter((index) => dates[index] === date);
    const of = indexes.map((index) => blocks[index]!);
    const sent = of.flatMap(({ transactions }) => transactions);
    const paid = sent.flatMap(({ asset }) => asset?.payments ?? []);
    const active = [
      ...sent.flatMap(({ senderPublicKey, recipientId }) => [
        addresses.addressOf(senderPublicKey),
        ...(recipientId === null ? [] : [recipientId]),
      ]),
      ...paid.map(({ recipientId }) => recipientId),
    ];
    const before = blocks.filter((_, index) => dates[index]! <= date);
    return {
      date,
      isRunning: date === dates.at(-1),
      newAccounts,
      firstHeight: of[0]?.height ?? null,
      lastHeight: of.at(-1)?.height ?? null,
      blocks: of.length,
      missedSlots: indexes.reduce((missed, index) => missed + missedBefore(index), 0),
      transactions: sent.length,
      volume: sum([...sent, ...paid].map(({ amount }) => amount)),
      fees: sum(sent.map(({ fee }) => fee)),
      rewards: sum(of.map(({ reward }) => reward)),
      activeAddresses: new Set(active).size,
      supply: blocks[0]!.totalAmount + sum(before.map(({ reward }) => reward)),
    };
  };

  // After each batch, too: the index was made with checks of all invariants.
  it('are those of the blocks, by SQL', async () => {
    expect(await findViolations(served.index.client)).toEqual({});
  });

  it('are those of the blocks of each day, also of the first, the running, and one without blocks', async () => {
    const { rows } = await served.index.client.query<{ height: number }>(
      'SELECT min(height) AS height FROM history_balances GROUP BY account',
    );
    const begun = rows.map(({ height }) => dates[height - 1]);
    const expected: object[] = [];
    for (let day = Date.parse(dates.at(-1)!); day >= Date.parse(dates[1]!); day -= DAY_MS) {
      const date = new Date(day).toISOString().slice(0, 10);
      expected.push(recounted(date, begun.filter((each) => each === date).length));
    }
    const genesis = (await served.found<Page>(`${PATH}?to=1`)).days;
    const first = recounted(dates[0]!, begun.filter((each) => each === dates[0]).length);
    expect([...all, ...genesis].map(asBigInts)).toEqual([...expected, first].map(asBigInts));
    expect(all.filter(({ firstHeight }) => firstHeight === null)).not.toEqual([]);
    expect(sum(all.map((day) => (asBigInts(day) as { missedSlots: bigint }).missedSlots))).toBeGreaterThan(
      0n,
    );
  });

  it('come in pages that end where the next one begins', async () => {
    const listed: Day[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await served.found(`${PATH}?from=2&limit=2${cursor && `&cursor=${cursor}`}`);
      listed.push(...page.days);
      cursor = page.nextCursor;
    }
    expect(listed).toEqual(all);
  });

  it('are of the days that are asked for', async () => {
    const daysOf = async (query: string) => (await served.found<Page>(`${PATH}?${query}`)).days;
    const [last, second, first] = [all[0]!, all.at(-2)!, all.at(-1)!];
    const before = new Date(Date.parse(first.date) - DAY_MS).toISOString().slice(0, 10);
    expect(await daysOf(`from=${second.date}&to=${second.date}`)).toEqual([second]);
    expect(await daysOf(`from=${headOf(CHAIN)}`)).toEqual([last]);
    expect(await daysOf(`from=${first.date}&to=${second.date}T12:00:00Z`)).toEqual([second, first]);
    expect(await daysOf(`limit=1&to=${before}`)).toMatchObject([{ date: before, firstHeight: null }]);
    expect(await daysOf('to=1969-12-31')).toEqual([]);
    expect(await daysOf('from=2199-01-01')).toEqual([]);
  });

  it('of a range or a page that cannot be are refused', async () => {
    const refusal = async (query: string) => (await fetch(`${served.url}${PATH}?${query}`)).status;
    expect(await refusal('from=9&to=1970-01-01')).toBe(400);
    expect(await refusal('limit=1001')).toBe(400);
    expect(await refusal('cursor=abc')).toBe(400);
    expect(await refusal(`from=${headOf(CHAIN) + 1}`)).toBe(404);
    const undone = writeDayCursor({ day: 20_000, height: 9, blockId: blocks[0]!.id });
    expect(await refusal(`cursor=${undone}`)).toBe(409);
    const ahead = writeDayCursor({ day: 20_000, height: headOf(CHAIN) + 1, blockId: blocks[0]!.id });
    expect(await refusal(`cursor=${ahead}`)).toBe(503);
  });

  it('are all complete once the chain has ended', async () => {
    const { client } = served.index;
    await writeChainEnd(client, headOf(CHAIN));
    await settleChainEnd(client, blocks.at(-1)!);
    await recordEndProof(client, headOf(CHAIN));
    const isRunning = async () => (await served.found<Page>(`${PATH}?limit=1`)).days[0]!.isRunning;
    await eventually('no day is running', async () => !(await isRunning()));
    await writeChainEnd(client, null);
    await eventually('the last day is running', isRunning);
  });

  it('are missing in an index that an earlier version began, which names the command', async () => {
    const { client } = served.index;
    await client.query(
      'BEGIN; DELETE FROM daily_statistics; UPDATE head SET revision = revision + 1; COMMIT',
    );
    const ask = async () => {
      const answer = await fetch(`${served.url}${PATH}?limit=3`);
      return { status: answer.status, body: await answer.text() };
    };
    let answer = await ask();
    while (answer.status === 200) answer = await ask();
    expect(answer).toEqual({ status: 503, body: expect.stringContaining('indexer rebuild') });
  });
});
