import type { SearchResponse } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { accountHref, blockHref, delegateHref, transactionHref } from '../page/addresses.js';
import type { PageState } from '../page/define-page.js';
import { typeName } from '../transactions/type-name.js';

export type Found = Omit<SearchResponse, 'success'>;

export const NOTHING_FOUND: Found = { delegates: [], accounts: [], blocks: [], transactions: [] };

/** @param text what was searched for; may be empty */
export const foundPanel = ({ status }: PageState, found: Found, text: string): Html => {
  const { delegates, accounts, blocks, transactions } = found;
  if (delegates.length + accounts.length + blocks.length + transactions.length === 0)
    return html`<p class="empty" id="found">
      ${text === '' ? 'The search above' : html`Nothing has this name. The search`} finds heights, ids,
      addresses, public keys and usernames, whole or their beginning.
    </p>`;
  const { symbol } = status.network;
  const items = [
    ...delegates.map(
      ({ username }) => html`Delegate <a href="${delegateHref(username)}"><bdi>${username}</bdi></a>`,
    ),
    ...blocks.map(
      ({ id, height }) =>
        html`Block <a href="${blockHref(id)}">${formatWhole(height)}</a> <span class="key">${id}</span>`,
    ),
    ...transactions.map(
      (each) => html`${typeName(each)} <a class="key" href="${transactionHref(each.id)}">${each.id}</a>`,
    ),
    ...accounts.map(
      ({ address, balance }) =>
        html`Account <a class="key" href="${accountHref(address)}">${address}</a>, ${amount(balance, symbol)}`,
    ),
  ];
  return html`<section class="panel" id="found" aria-label="Found">
    <h2>Found</h2>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </section>`;
};
