import type { Account } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Content, type Html } from '../html.js';
import { factList } from '../page/fact-list.js';
import { accountHref, delegateHref } from '../page/addresses.js';
import type { PageState, TransactionList } from '../page/page-state.js';
import { transactionsTable } from '../transactions/transactions-table.js';

const key = (text: string): Html => html`<span class="key">${text}</span>`;

/** @param hrefOf the address with the transactions from a cursor on */
export const accountDetail = (
  state: PageState,
  account: Account,
  list: TransactionList,
  hrefOf: (cursor: string) => string,
): Html => {
  const { symbol } = state.status.network;
  const { address, publicKey, locked, secondPublicKey, multiSignature, vote, delegate } = account;
  const facts: readonly (readonly [string, Content])[] = [
    ['Balance', amount(account.balance, symbol)],
    ['Locked', locked !== 0n && amount(locked, symbol)],
    ['Transactions sent', formatWhole(account.nonce)],
    ['Public key', publicKey === null ? 'not known yet' : key(publicKey)],
    [
      'Delegate',
      delegate && html`<a href="${delegateHref(delegate.username)}"><bdi>${delegate.username}</bdi></a>`,
    ],
    ['Votes for', vote && html`<a class="key" href="${accountHref(vote)}">${vote}</a>`],
    ['Second public key', secondPublicKey && key(secondPublicKey)],
    [
      'Members',
      multiSignature &&
        html`<div>${formatWhole(multiSignature.min)} of them must sign</div>
          ${multiSignature.publicKeys.map(
            (member) => html`<div><a class="key" href="${accountHref(member)}">${member}</a></div>`,
          )}`,
    ],
  ];
  return html`<h1 id="title" tabindex="-1">
      <span class="kind">Account</span> <span class="key">${address}</span>
    </h1>
    <section class="panel" aria-label="Facts">
      ${factList(facts.filter(([, value]) => value !== null && value !== false))}
    </section>
    ${transactionsTable(state, list, hrefOf)}`;
};
