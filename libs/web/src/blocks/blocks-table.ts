import type { NewestBlock } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { moment } from '../format/time.js';
import { html, type Html } from '../html.js';
import { blockHref } from '../page/location.js';
import type { PageState } from '../page/page-state.js';
import { timeOf } from '../status/status.js';

const MOST_SHOWN = 12;

const row = (block: NewestBlock, { status, now }: PageState): Html => {
  const { symbol } = status.network;
  return html`<tr id="block-${block.id}" data-fresh>
    <th scope="row"><a href="${blockHref(block.id)}">${formatWhole(block.height)}</a></th>
    <td>${moment(timeOf(status, block.timestamp), now)}</td>
    <td>${delegateLink(block.username, block.generatorPublicKey)}</td>
    <td class="number">${formatWhole(block.numberOfTransactions)}</td>
    <td class="number wide">${amount(block.totalAmount, symbol)}</td>
    <td class="number wide">${amount(block.forged, symbol)}</td>
  </tr>`;
};

export const blocksTable = (state: PageState): Html =>
  html`<section class="panel" id="blocks" aria-labelledby="blocks-title">
    <h2 id="blocks-title">Newest blocks</h2>
    <div class="table">
      <table>
        <caption class="unseen">
          The newest blocks, newest first
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
          ${state.status.blocks.slice(0, MOST_SHOWN).map((block) => row(block, state))}
        </tbody>
      </table>
    </div>
  </section>`;
