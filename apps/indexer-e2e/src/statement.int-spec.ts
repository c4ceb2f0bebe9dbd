import { IndexUnderTest } from './index-under-test.js';
import { RECORDED_HEAD } from './recording.js';

describe('indexer statement', () => {
  let index: IndexUnderTest;

  beforeAll(async () => {
    index = await IndexUnderTest.ofRecording('core-3.9');
  });

  afterAll(() => index.close());

  const linesOf = async (...options: string[]): Promise<string[][]> => {
    const { code, stdout, stderr } = await index.command('statement', ...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  };

  it('prints each change between the balances at both ends', async () => {
    const { rows } = await index.pool.query<{ address: string; username: string; balance: string }>(
      `SELECT address, d.username, a.balance::text FROM accounts a JOIN delegates d USING (address)
       ORDER BY a.nonce DESC LIMIT 1`,
    );
    const { address, username, balance } = rows[0]!;
    const [header, opening, ...rest] = await linesOf('--account', address);
    const closing = rest.pop()!;
    expect(header).toEqual('time,height,transaction,kind,counterparty,amount,fee,balance'.split(','));
    expect(opening).toEqual(['', '0', '', 'opening', '', '', '', '0']);
    expect(closing).toEqual(['', String(RECORDED_HEAD), '', 'closing', '', '', '', balance]);
    let sum = 0n;
    for (const [, , , , , amount, fee, after] of rest) {
      sum += BigInt(amount!) + BigInt(fee!);
      expect(after).toBe(String(sum));
    }
    expect(rest.length).toBeGreaterThan(5);

    const middle = rest[Math.floor(rest.length / 2)]!;
    const ofBlock = rest.filter(([, height]) => height === middle[1]);
    const height = ['--from', middle[1]!, '--to', middle[1]!];
    expect((await linesOf('--account', username, ...height)).slice(2, -1)).toEqual(ofBlock);
    const second = middle[0]!.replace('.000Z', 'Z');
    expect((await linesOf('--account', address, '--from', second, '--to', second)).slice(2, -1)).toEqual(
      ofBlock,
    );
  });

  it.each([
    [[], /Say whose statement it is/],
    [['--account', 'nobody_'], /The index has no account "nobody_"/],
    [['--account', 'genesis_1', '--from', '2026-02-30'], /--from takes a height, a date/],
    [['--account', 'genesis_1', '--to', '100000'], /there is no block 100000 in it/],
    [['--account', 'genesis_1', '--from', '4', '--to', '3'], /--from must not be after --to/],
    [
      ['--account', 'genesis_1', '--from', '2026-02-01', '--to', '2026-01-31'],
      /--from must not be after --to/,
    ],
  ])('refuses %j with a sentence', async (options, sentence) => {
    const { code, stdout, stderr } = await index.command('statement', ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
