import type { Transaction } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { counted } from '../format/numbers.js';
import { moment } from '../format/time.js';
import { html, type Html } from '../html.js';
import { accountHref, transactionHref } from '../page/addresses.js';
import type { Asked } from '../page/define-page.js';
import { cursorLinks } from '../page/page-links.js';
import type { PageState, TransactionList } from '../page/page-state.js';
import { table } from '../page/table.js';
import { timeOf } from '../status/status.js';
import { movedBy, paymentsOf } from './asset.js';
import { typeName } from './type-name.js';

const short = (text: string): string => `${text.slice(0, 8)}…`;

/** A link to an account's page. */
const accountLink = (address: string | null): Html | string =>
  address === null
    ? '–'
    : html`<a class="key brief" href="${accountHref(address)}" title="${address}">${short(address)}</a>`;

/** Who gets the amount. A multi-payment has several recipients; a list of one of them names that one. */
const recipient = (transaction: Transaction, account?: string): Html | string => {
  const payments = paymentsOf(transaction);
  if (payments.length === 0) return accountLink(transaction.recipientId);
  const isPaid =
    account !== transaction.senderId && payments.some(({ recipientId }) => recipientId === account);
  const all = html`<a href="${transactionHref(transaction.id)}">${counted(payments.length, 'payment')}</a>`;
  return isPaid ? html`${accountLink(account!)} of ${all}` : all;
};

const row = (transaction: Transaction, { status }: PageState, account?: string): Html => {
  const { symbol } = status.network;
  return html`<tr id="transaction-${transaction.id}">
    <th scope="row">
      <a class="key brief" href="${transactionHref(transaction.id)}" title="${transaction.id}"
        >${short(transaction.id)}</a
      >
    </th>
    <td class="roomy">${moment(timeOf(status, transaction.blockTimestamp))}</td>
    <td class="roomy">${typeName(transaction)}</td>
    <td>${accountLink(transaction.senderId)}</td>
    <td>${recipient(transaction, account)}</td>
    <td class="number">${amount(movedBy(transaction, account), symbol)}</td>
    <td class="number wide">${amount(transaction.fee, symbol)}</td>
  </tr>`;
};

const HEADS = [
  ...([['Id'], ['Forged', 'roomy'], ['Type', 'roomy'], ['Sender'], ['Recipient']] as const),
  ...([
    ['Amount', 'number'],
    ['Fee', 'number wide'],
  ] as const),
];

/**
 * @param asked the page that has them; without it, there are no links to other pages
 * @param account the address whose transactions these are: of multi-payments, it sees what it got
 */
export const transactionsTable = (
  state: PageState,
  { transactions, nextCursor }: TransactionList,
  asked?: Asked<'cursor'>,
  account?: string,
): Html =>
  html`<section class="panel" id="transactions" aria-labelledby="transactions-title">
    <h2 id="transactions-title">Transactions</h2>
    ${
      transactions.length === 0
        ? html`<p class="empty">There are no transactions here.</p>`
        : table(
            'Transactions, newest first',
            HEADS,
            transactions.map((transaction) => row(transaction, state, account)),
          )
    }
    ${asked && cursorLinks('transactions', asked, nextCursor, undefined, '#transactions')}
  </section>`;
