import type { Block } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { fullTime, moment } from '../format/time.js';
import { html, type Html } from '../html.js';
import { factList } from '../page/fact-list.js';
import { blockHref } from '../page/addresses.js';
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

/** @param hrefOf the address with the transactions from a cursor on */
export const blockDetail = (
  state: PageState,
  { block, forger, list }: BlockView,
  hrefOf: (cursor: string) => string,
): Html => {
  const { status } = state;
  const { symbol } = status.network;
  const at = timeOf(status, block.timestamp);
  return html`<h1 id="title" tabindex="-1"><span class="kind">Block</span> ${formatWhole(block.height)}</h1>
    <dl class="figures">
      <div class="figure first">
        <dt>Confirmations</dt>
        <dd class="value" id="confirmations">${formatWhole(Math.max(0, status.height - block.height))}</dd>
        <dd class="note">blocks on top of this one</dd>
      </div>
      <div class="figure">
        <dt>Forged</dt>
        <dd class="value">${moment(at)}</dd>
        <dd class="note">${fullTime(at)}</dd>
      </div>
      <div class="figure">
        <dt>Forger</dt>
        <dd class="value name">${delegateLink(forger, block.generatorPublicKey)}</dd>
        <dd class="note">earned ${amount(block.reward + block.totalFee, symbol)}</dd>
      </div>
    </dl>
    <section class="panel" aria-label="Facts">
      ${factList([
        ['Id', html`<span class="key">${block.id}</span>`],
        [
          'Previous block',
          block.previousBlock === NO_BLOCK
            ? 'none: this is the genesis block'
            : html`<a class="key" href="${blockHref(block.previousBlock)}">${block.previousBlock}</a>`,
        ],
        ['Transactions', formatWhole(block.numberOfTransactions)],
        ['Amount', amount(block.totalAmount, symbol)],
        ['Reward', amount(block.reward, symbol)],
        ['Fees', amount(block.totalFee, symbol)],
        ['Payload', `${formatWhole(block.payloadLength)} bytes`],
        ['Payload hash', html`<span class="key">${block.payloadHash}</span>`],
        ['Generator', html`<span class="key">${block.generatorPublicKey}</span>`],
        ['Signature', html`<span class="key">${block.blockSignature}</span>`],
        ['Version', formatWhole(block.version)],
        ['Timestamp', `${formatWhole(block.timestamp)} s after the chain's epoch`],
      ])}
    </section>
    ${block.numberOfTransactions > 0 && transactionsTable(state, list, hrefOf)}`;
};
