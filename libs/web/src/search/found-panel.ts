import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { accountHref, blockHref, transactionHref } from '../page/location.js';
import type { OverviewView, PageState } from '../page/page-state.js';
import { typeName } from '../transactions/type-name.js';

/** What a search found besides delegates, which have their own table; empty if that is nothing. */
export const foundPanel = ({ status }: PageState, { found }: OverviewView): Html => {
  const { accounts = [], blocks = [], transactions = [] } = found ?? {};
  const isEmpty = accounts.length + blocks.length + transactions.length === 0;
  // The element stays, so that the delegates below keep their place in the document.
  if (isEmpty) return html`<div id="found-others"></div>`;
  const { symbol } = status.network;
  return html`<section class="panel" id="found-others" aria-label="Found">
    <h2>Found</h2>
    <ul>
      ${blocks.map(
        ({ id, height }) =>
          html`<li>
            Block <a href="${blockHref(id)}">${formatWhole(height)}</a> <span class="key">${id}</span>
          </li>`,
      )}
      ${transactions.map(
        (transaction) =>
          html`<li>
            ${typeName(transaction)}
            <a class="key" href="${transactionHref(transaction.id)}">${transaction.id}</a>
          </li>`,
      )}
      ${accounts.map(
        ({ address, balance }) =>
          html`<li>
            Account <a class="key" href="${accountHref(address)}">${address}</a>, ${amount(balance, symbol)}
          </li>`,
      )}
    </ul>
  </section>`;
};
