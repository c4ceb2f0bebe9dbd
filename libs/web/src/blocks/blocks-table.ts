import type { NewestBlock } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { moment } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import { blockHref } from '../page/addresses.js';
import type { PageState } from '../page/page-state.js';
import { timeOf } from '../status/status.js';

/** A row of a list of blocks. */
type ListedBlock = Omit<NewestBlock, 'forged'>;

const row = (block: ListedBlock, { status }: PageState): Html => {
  const { symbol } = status.network;
  return html`<tr id="block-${block.id}" data-fresh>
    <th scope="row"><a href="${blockHref(block.id)}">${formatWhole(block.height)}</a></th>
    <td>${moment(timeOf(status, block.timestamp))}</td>
    <td>${delegateLink(block.username, block.generatorPublicKey)}</td>
    <td class="number">${formatWhole(block.numberOfTransactions)}</td>
    <td class="number wide">${amount(block.totalAmount, symbol)}</td>
    <td class="number wide">${amount(block.reward + block.totalFee, symbol)}</td>
  </tr>`;
};

/** @param more links to what follows */
export const blocksTable = (
  state: PageState,
  title: string,
  blocks: readonly ListedBlock[],
  more: Content = null,
): Html =>
  html`<section class="panel" id="blocks" aria-labelledby="blocks-title">
    <h2 id="blocks-title">${title}</h2>
    <div class="table">
      <table>
        <caption class="unseen">
          ${title}, newest first
        </caption>
        <thead>
          <tr>
            <th scope="col">Height</th>
            <th scope="col">Forged</th>
            <th scope="col">Forger</th>
            <th scope="col" class="number"><abbr title="Transactions">Txs</abbr></th>
            <th scope="col" class="number wide">Amount</th>
            <th scope="col" class="number wide">Reward and fees</th>
          </tr>
        </thead>
        <tbody>
          ${blocks.map((block) => row(block, state))}
        </tbody>
      </table>
    </div>
    ${more}
  </section>`;
