import type { Transaction } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { moment } from '../format/time.js';
import { html, type Html } from '../html.js';
import { accountHref, transactionHref } from '../page/addresses.js';
import type { PageState, TransactionList } from '../page/page-state.js';
import { timeOf } from '../status/status.js';
import { typeName } from './type-name.js';

const short = (text: string): string => `${text.slice(0, 8)}…`;

/** A link to an account's page. */
export const accountLink = (address: string | null): Html | string =>
  address === null
    ? '–'
    : html`<a class="key" href="${accountHref(address)}" title="${address}">${short(address)}</a>`;

const row = (transaction: Transaction, { status }: PageState): Html => {
  const { symbol } = status.network;
  return html`<tr id="transaction-${transaction.id}">
    <th scope="row">
      <a class="key" href="${transactionHref(transaction.id)}" title="${transaction.id}"
        >${short(transaction.id)}</a
      >
    </th>
    <td class="roomy">${moment(timeOf(status, transaction.blockTimestamp))}</td>
    <td class="roomy">${typeName(transaction)}</td>
    <td>${accountLink(transaction.senderId)}</td>
    <td>${accountLink(transaction.recipientId)}</td>
    <td class="number">${amount(transaction.amount, symbol)}</td>
    <td class="number wide">${amount(transaction.fee, symbol)}</td>
  </tr>`;
};

/** @param hrefOf the address of the page that begins at a cursor; the empty cursor means the first page; without it, there are no links to pages */
export const transactionsTable = (
  state: PageState,
  { transactions, nextCursor }: TransactionList,
  hrefOf?: (cursor: string) => string,
): Html =>
  html`<section class="panel" id="transactions" aria-labelledby="transactions-title">
    <h2 id="transactions-title">Transactions</h2>
    ${
      transactions.length === 0
        ? html`<p class="empty">There are no transactions here.</p>`
        : html`<div class="table">
            <table>
              <caption class="unseen">
                Transactions, newest first
              </caption>
              <thead>
                <tr>
                  <th scope="col">Id</th>
                  <th scope="col" class="roomy">Forged</th>
                  <th scope="col" class="roomy">Type</th>
                  <th scope="col">Sender</th>
                  <th scope="col">Recipient</th>
                  <th scope="col" class="number">Amount</th>
                  <th scope="col" class="number wide">Fee</th>
                </tr>
              </thead>
              <tbody>
                ${transactions.map((transaction) => row(transaction, state))}
              </tbody>
            </table>
          </div>`
    }
    ${
      hrefOf &&
      nextCursor !== null &&
      html`<nav class="more" aria-label="Pages of transactions">
        <a href="${hrefOf('')}#transactions">Newest</a>
        <a href="${hrefOf(nextCursor)}#transactions" rel="next">Older</a>
      </nav>`
    }
  </section>`;
