import type { NewestBlock } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { moment } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import { blockHref } from '../page/addresses.js';
import type { PageState } from '../page/page-state.js';
import { table } from '../page/table.js';
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

const HEADS = [
  ...([['Height'], ['Forged'], ['Forger']] as const),
  [html`<abbr title="Transactions">Txs</abbr>`, 'number'],
  ['Amount', 'number wide'],
  ['Reward and fees', 'number wide'],
] as const;

/** @param more links to what follows */
export const blocksTable = (
  state: PageState,
  title: string,
  blocks: readonly ListedBlock[],
  more: Content = null,
): Html =>
  html`<section class="panel" id="blocks" aria-labelledby="blocks-title">
    <h2 id="blocks-title">${title}</h2>
    ${table(
      'Blocks, newest first',
      HEADS,
      blocks.map((block) => row(block, state)),
    )}
    ${more}
  </section>`;
