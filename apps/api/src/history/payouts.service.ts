import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Payouts, type BlockRef, type ForgedBlock, type PayoutOptions } from '@roundhouse/chain';
import {
  InvalidRequestError,
  type PastDelegatePathDto,
  type PayoutsQueryDto,
  type PayoutsResponseDto,
} from '@roundhouse/dto';
import { HistoryAccountsReader, PayoutsReader } from '@roundhouse/readers';
import type { Writing } from '../answers/answer-request.js';
import { NotFoundError } from '../answers/not-found.error.js';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { assertReached, contentAt, delegateNamed, NO_DELEGATE_THEN, type PastContent } from './at-height.js';

export const CSV_MEDIA_TYPE = 'text/csv';

/** One line per payout, below a line with the names of the columns. Amounts in arktoshi; the totals are in the JSON only. */
export const AS_CSV: Writing<PayoutsResponseDto> = {
  contentType: `${CSV_MEDIA_TYPE}; charset=utf-8`,
  headers: {},
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
  async getPayouts(
    chain: ChainView,
    query: PastDelegatePathDto & PayoutsQueryDto,
  ): Promise<PastContent<PayoutsResponseDto>> {
    const { from, to } = query;
    await assertReached(this.accounts, chain, to);
    const forged = await this.reader.findForged(
      chain.head,
      delegateNamed(query.delegate),
      query,
      MOST_BLOCKS + 1,
    );
    if (!forged) throw new NotFoundError(NO_DELEGATE_THEN);
    const { publicKey, blocks } = forged.found;
    if (blocks.length > MOST_BLOCKS) throw tooMany('blocks of the delegate', MOST_BLOCKS);
    const computed = new Payouts(blocks, optionsOf(query));
    await this.setWeights(computed, chain.head, publicKey, blocks);
    const { payouts, totals } = computed.result();
    return contentAt(to, forged.lowestHead, { from, to, ...totals, payouts, success: true as const });
  }

  private async setWeights(
    payouts: Payouts,
    head: BlockRef,
    publicKey: string,
    blocks: readonly ForgedBlock[],
  ): Promise<void> {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (!first || !last) return;
    const weights = await this.reader.listWeights(
      head,
      publicKey,
      first.height - 1,
      last.height - 1,
      MOST_WEIGHTS + 1,
    );
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
