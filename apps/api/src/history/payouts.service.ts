import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Payouts, type BlockRef, type ForgedBlock, type PayoutOptions } from '@roundhouse/chain';
import {
  InvalidRequestError,
  type DelegatePathDto,
  type PayoutsQueryDto,
  type PayoutsResponseDto,
} from '@roundhouse/dto';
import { HistoryAccountsReader, PayoutsReader } from '@roundhouse/readers';
import type { MakeContent, Writing } from '../answers/answer-request.js';
import { CSV_TYPE } from '../answers/headers.js';
import { contentAt, delegateNamed, NO_DELEGATE_THEN } from './at-height.js';

/** One line per payout, below a line with the names of the columns. Amounts in arktoshi; the totals are in the JSON only. */
export const AS_CSV: Writing<PayoutsResponseDto> = {
  contentType: CSV_TYPE,
  write: ({ payouts }) =>
    `address,amount\n${payouts.map(({ address, amount }) => `${address},${amount}\n`).join('')}`,
};

/** Limits of one answer. A larger one would take seconds, and memory that other requests need. */
const MOST_BLOCKS = 2000;
const MOST_WEIGHTS = 500_000;

/** After this many weights, other requests get a turn. */
const WEIGHTS_AT_ONCE = 20_000;

const tooMany = (what: string, most: number): InvalidRequestError =>
  new InvalidRequestError(
    `The range has more than ${most.toLocaleString('en')} ${what}; ask for a shorter range.`,
  );

@Injectable()
export class PayoutsService {
  constructor(
    private readonly reader: PayoutsReader,
    private readonly accounts: HistoryAccountsReader,
  ) {}

  /** It may hold 500,000 weights in memory. Throws `InvalidRequestError` if it is too much. */
  getPayouts(query: DelegatePathDto & PayoutsQueryDto): MakeContent<PayoutsResponseDto> {
    const { from, to } = query;
    const name = delegateNamed(query.delegate);
    return contentAt(
      this.accounts,
      to,
      (chain) => {
        chain.assertListIndexes();
        return this.reader.findForged(chain.head, name, query, MOST_BLOCKS + 1);
      },
      async ({ publicKey, blocks }, { head }) => {
        if (blocks.length > MOST_BLOCKS) throw tooMany('blocks of the delegate', MOST_BLOCKS);
        const computed = new Payouts(blocks, optionsOf(query));
        await this.setWeights(computed, head, publicKey, blocks);
        const { payouts, totals } = computed.result();
        return { from, to, ...totals, payouts, success: true };
      },
      NO_DELEGATE_THEN,
    );
  }

  private async setWeights(
    payouts: Payouts,
    head: BlockRef,
    publicKey: string,
    blocks: readonly ForgedBlock[],
  ): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return;
    const [from, to] = [first.height - 1, last.height - 1];
    const weights = await this.reader.listWeights(head, publicKey, from, to, MOST_WEIGHTS + 1);
    if (weights.length > MOST_WEIGHTS) throw tooMany('changes of weights', MOST_WEIGHTS);
    const addresses = new Map<number, string>();
    for (const [place, { height, account, weight, address }] of weights.entries()) {
      if (address !== null) addresses.set(account, address);
      payouts.setWeight(height, addresses.get(account)!, weight);
      if (place % WEIGHTS_AT_ONCE === WEIGHTS_AT_ONCE - 1) await nextTurn();
    }
  }
}

const optionsOf = ({ share, minimum, cap, exclude }: PayoutsQueryDto): PayoutOptions => ({
  share: BigInt(share),
  minimum: BigInt(minimum ?? 0),
  cap: cap === undefined ? null : BigInt(cap),
  exclude: new Set(exclude),
});
