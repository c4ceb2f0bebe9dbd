import type { Account } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { html, type Content, type Html } from '../html.js';
import { delegateHref } from '../page/addresses.js';
import type { PageState } from '../page/define-page.js';
import { accountKey } from '../page/key.js';
import { table } from '../page/table.js';

const row = ({ address, balance, delegate }: Account, { status }: PageState): Html =>
  html`<tr id="account-${address}">
    <th scope="row">
      ${accountKey(address)}
      ${delegate && html`<a href="${delegateHref(delegate.username)}"><bdi>${delegate.username}</bdi></a>`}
    </th>
    <td class="number">${amount(balance, status.network.symbol)}</td>
  </tr>`;

/** @param more links to what follows */
export const accountsTable = (state: PageState, accounts: readonly Account[], more: Content): Html =>
  html`<section class="panel" id="accounts" aria-labelledby="accounts-title">
    <h2 id="accounts-title">Largest balance first</h2>
    ${table(
      'Accounts, largest balance first',
      [['Address'], ['Balance', 'number']],
      accounts.map((account) => row(account, state)),
    )}
    ${more}
  </section>`;
