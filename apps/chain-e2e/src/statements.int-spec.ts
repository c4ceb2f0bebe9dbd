import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomChain, type RecordedChain } from '@roundhouse/testing';
import { MemoryChain } from './history/memory-chain.js';
import { headOf } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';
import { ServedIndex } from './served-index.js';

interface Entry {
  readonly time: string;
  readonly height: number;
  readonly transactionId: string | null;
  readonly kind: string;
  readonly counterparty: string | null;
  readonly amount: bigint | number;
  readonly fee: bigint | number;
  readonly balance: bigint | number;
}

interface Statement {
  readonly from: number;
  readonly to: number;
  readonly opening: bigint | number;
  readonly closing: bigint | number;
  readonly entries: readonly Entry[];
}

interface Change {
  readonly height: number;
  readonly balance: bigint | number;
}

const KINDS = ['claim', 'fee', 'forged', 'lock', 'payment', 'received', 'refund', 'sent'];

const BLOCKS = 120;

const indexRandom = async (keepsHistory: boolean): Promise<ServedIndex> => {
  const { network, blocks } = randomChain({ seed: 4242, blocks: BLOCKS });
  const index = await RecordedIndex.create(new MemoryChain(blocks), network, { keepsHistory });
  await index.indexTo(BLOCKS);
  return ServedIndex.of(index, BLOCKS);
};

const open = (chain: RecordedChain | 'random', keepsHistory: boolean): Promise<ServedIndex> =>
  chain === 'random' ? indexRandom(keepsHistory) : ServedIndex.open(chain, undefined, { keepsHistory });

const heightOf = (chain: RecordedChain | 'random'): number => (chain === 'random' ? BLOCKS : headOf(chain));

const statementOf = (served: ServedIndex, address: string, query = ''): Promise<Statement> =>
  served.found<Statement>(`/api/accounts/${address}/statement${query}`);

/** Those that the chain touched first, which do most, and some of the others. */
const addressesOf = async ({ index }: ServedIndex): Promise<string[]> => {
  const { rows } = await index.client.query<{ address: string }>(
    'SELECT address FROM accounts WHERE number <= 12 OR number % 12 = 0 OR locked <> 0 ORDER BY number',
  );
  return rows.map(({ address }) => address);
};

/** The changes that history has of an account, by height. */
const changesOf = async (served: ServedIndex, address: string): Promise<Change[]> => {
  const all: Change[] = [];
  for (let cursor = ''; ;) {
    const path = `/api/history/accounts/${address}/changes${cursor}`;
    const page = await served.found<{ changes: Change[]; nextCursor: string | null }>(path);
    all.push(...page.changes);
    if (page.nextCursor === null) return all.reverse();
    cursor = `?cursor=${page.nextCursor}`;
  }
};

/** The balance after each block that has an entry. Each entry goes on from the balance before it. */
const balancesOf = ({ opening, closing, entries }: Statement): Map<number, bigint> => {
  const balances = new Map<number, bigint>();
  let balance = BigInt(opening);
  for (const { height, amount, fee, balance: after } of entries) {
    balance += BigInt(amount) + BigInt(fee);
    expect(BigInt(after)).toBe(balance);
    balances.set(height, balance);
  }
  expect(BigInt(closing)).toBe(balance);
  return balances;
};

describe.each(['core-2.4-full', 'core-3.9-full', 'random'] as const)(
  'statements of the chain %s',
  (chain) => {
    let withHistory: ServedIndex;
    let without: ServedIndex;
    let addresses: readonly string[];

    beforeAll(async () => {
      [withHistory, without] = [await open(chain, true), await open(chain, false)];
      addresses = await addressesOf(without);
    });
    afterAll(async () => {
      await withHistory.close();
      await without.close();
    });

    it('has the balances of history after each block, without history, too', async () => {
      const kinds = new Set<string>();
      for (const address of addresses) {
        const statement = await statementOf(without, address);
        expect(await statementOf(withHistory, address)).toEqual(statement);
        const changes = await changesOf(withHistory, address);
        const stated = balancesOf(statement);
        const known = new Map(changes.map(({ height, balance }) => [height, BigInt(balance)]));
        const heights = [...new Set([...stated.keys(), ...known.keys()])].sort((a, b) => a - b);
        const [ofStatement, ofHistory] = [stated, known].map((balances) => {
          let balance = 0n;
          return heights.map((height) => (balance = balances.get(height) ?? balance));
        });
        expect({ address, heights, balances: ofStatement }).toEqual({
          address,
          heights,
          balances: ofHistory,
        });
        for (const { kind } of statement.entries) kinds.add(kind);
      }
      expect([...kinds].sort()).toEqual(
        chain === 'core-2.4-full' ? ['fee', 'forged', 'received', 'sent'] : KINDS,
      );
    });

    it('begins and ends with the balances of history, whatever the range', async () => {
      const last = heightOf(chain);
      for (const [place, address] of addresses.entries()) {
        const from = 2 + ((place * 37) % (last - 2));
        const to = Math.min(last, from + ((place * 11) % 60));
        const statement = await statementOf(without, address, `?from=${from}&to=${to}`);
        balancesOf(statement);
        const ends = await Promise.all(
          [from - 1, to].map(async (height) => {
            const path = `/api/history/accounts/${address}?height=${height}`;
            const { body } = await withHistory.answer<{ account?: { balance: bigint | number } }>(path);
            return BigInt(body.account?.balance ?? 0);
          }),
        );
        expect([BigInt(statement.opening), BigInt(statement.closing)]).toEqual(ends);
      }
    });

    it('says the same as CSV', async () => {
      for (const address of addresses.slice(0, 6)) {
        const { from, to, opening, closing, entries } = await statementOf(without, address);
        const { headers, body } = await without.request(`/api/accounts/${address}/statement?format=csv`);
        expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
        const lines = [
          'time,height,transaction,kind,counterparty,amount,fee,balance',
          `,${from - 1},,opening,,,,${opening}`,
          ...entries.map((entry) =>
            [
              entry.time,
              entry.height,
              entry.transactionId,
              entry.kind,
              entry.counterparty,
              entry.amount,
              entry.fee,
              entry.balance,
            ].join(','),
          ),
          `,${to},,closing,,,,${closing}`,
        ];
        expect(body).toBe(`${lines.join('\n')}\n`);
        for (const cell of body.split(/[,\n]/)) expect(cell).not.toMatch(/^(?:[=+@\t\r]|-(?!\d+$))/);
      }
    });

    it('takes days and seconds for the blocks of that time', async () => {
      const busiest = addresses[0]!;
      const { entries } = await statementOf(without, busiest);
      const middle = entries[Math.floor(entries.length / 2)]!;
      const second = middle.time.replace('.000Z', 'Z');
      const one = await statementOf(without, busiest, `?from=${second}&to=${second}`);
      expect([one.from, one.to]).toEqual([middle.height, middle.height]);
      expect(one.entries).toEqual(entries.filter(({ height }) => height === middle.height));

      const day = second.slice(0, 10);
      const ofDay = await statementOf(without, busiest, `?from=${day}&to=${day}`);
      const inDay = entries.filter(({ time }) => time.startsWith(day));
      expect(ofDay.entries).toEqual(inDay);

      const later = await statementOf(without, busiest, '?from=2199-01-01');
      expect(later).toMatchObject({ from: heightOf(chain) + 1, opening: later.closing, entries: [] });
      for (const end of ['from', 'to'])
        expect(
          (await without.answer(`/api/accounts/${busiest}/statement?${end}=${heightOf(chain) + 1}`)).status,
        ).toBe(404);
      for (const range of ['from=101&to=100', 'from=2026-02-01&to=2026-01-31'])
        expect((await without.answer(`/api/accounts/${busiest}/statement?${range}`)).status).toBe(400);
      const before = await statementOf(without, busiest, '?to=2000-01-01');
      expect(before).toMatchObject({ to: 0, opening: 0, closing: 0, entries: [] });
    });
  },
);
