import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError, type DelegatePathDto, type PayoutsQueryDto } from '@roundhouse/dto';
import type { HistoryAccountsReader, PayoutsReader } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { PayoutsService } from './payouts.service.js';

const chain = { head: { height: 9000 }, assertListIndexes: () => undefined } as unknown as ChainView;
const query = {
  delegate: 'a',
  from: 1,
  to: 9000,
  share: 100_000_000,
  exclude: [],
} as unknown as DelegatePathDto & PayoutsQueryDto;

/** Payouts of a delegate with so many blocks and changes. Like the real reader, this one gives at most as many as asked. */
const payoutsOf = (blockCount: number, changeCount: number) => {
  const reader = {
    findForged: async (_at: unknown, _delegate: unknown, _range: unknown, most: number) => {
      const blocks = Array.from({ length: Math.min(most, blockCount) }, (_, index) => ({
        height: index + 2,
        reward: 2n,
        fees: 1n,
      }));
      return { found: { publicKey: '02', blocks }, lowestHead: 0 };
    },
    listWeights: async (...[, , first, , most]: Parameters<PayoutsReader['listWeights']>) =>
      Array.from({ length: Math.min(most, changeCount) }, () => ({
        height: first,
        account: 1,
        weight: 5n,
        address: 'A',
      })),
  } as unknown as PayoutsReader;
  return new PayoutsService(reader, {} as HistoryAccountsReader).getPayouts(query)(chain);
};

describe('payouts', () => {
  it('may be of 2,000 blocks and 500,000 changes of weights', async () => {
    expect(await payoutsOf(2000, 500_000)).toMatchObject({
      forgedBlocks: 2000,
      shared: 6000n,
      payouts: [{ address: 'A', amount: 6000n }],
    });
  });

  it.each([
    ['blocks of the delegate', '2,000', 2001, 1],
    ['changes of weights', '500,000', 1, 500_001],
  ])('are refused for more %s than %s', async (what, most, blockCount, changeCount) => {
    const asked = payoutsOf(blockCount, changeCount);
    await expect(asked).rejects.toThrow(
      new InvalidRequestError(`The range has more than ${most} ${what}; ask for a shorter range.`),
    );
  });
});
