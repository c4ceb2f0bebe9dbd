import type { Block } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { fullTime, moment } from '../format/time.js';
import { html, type Html } from '../html.js';
import { factList } from '../page/fact-list.js';
import { blockHref } from '../page/addresses.js';
import type { Asked } from '../page/define-page.js';
import { confirmations, figure } from '../page/figures.js';
import { key } from '../page/key.js';
import type { PageState, TransactionList } from '../page/page-state.js';
import { transactionsTable } from '../transactions/transactions-table.js';
import { timeOf } from '../status/status.js';

/** The previous block of the genesis block. */
const NO_BLOCK = '0';

interface BlockView {
  readonly block: Block;
  /** Null if no delegate forged it (the genesis block). */
  readonly forger: string | null;
  readonly list: TransactionList;
}

export const blockDetail = (
  state: PageState,
  { block, forger, list }: BlockView,
  asked: Asked<'cursor'>,
): Html => {
  const { status } = state;
  const { symbol } = status.network;
  const at = timeOf(status, block.timestamp);
  return html`<h1 id="title" tabindex="-1"><span class="kind">Block</span> ${formatWhole(block.height)}</h1>
    <dl class="figures">
      ${confirmations(status, block.height, 'first')} ${figure('Forged', moment(at), fullTime(at))}
      ${figure(
        'Forger',
        delegateLink(forger, block.generatorPublicKey),
        html`earned ${amount(block.reward + block.totalFee, symbol)}`,
        'name',
      )}
    </dl>
    <section class="panel" aria-label="Facts">
      ${factList([
        ['Id', key(block.id)],
        [
          'Previous block',
          block.previousBlock === NO_BLOCK
            ? 'none: this is the genesis block'
            : html`<a class="key" href="${blockHref(block.previousBlock)}" rel="prev"
                >${block.previousBlock}</a
              >`,
        ],
        [
          'Next block',
          block.height < status.height
            ? html`<a href="${blockHref(block.height + 1)}" rel="next">${formatWhole(block.height + 1)}</a>`
            : 'none yet',
        ],
        ['Transactions', formatWhole(block.numberOfTransactions)],
        ['Amount', amount(block.totalAmount, symbol)],
        ['Reward', amount(block.reward, symbol)],
        ['Fees', amount(block.totalFee, symbol)],
        ['Payload', `${formatWhole(block.payloadLength)} bytes`],
        ['Payload hash', key(block.payloadHash)],
        ['Generator', key(block.generatorPublicKey)],
        ['Signature', key(block.blockSignature)],
        ['Version', formatWhole(block.version)],
        ['Timestamp', `${formatWhole(block.timestamp)} s after the chain's epoch`],
      ])}
    </section>
    ${block.numberOfTransactions > 0 && transactionsTable(state, list, asked)}`;
};
