import type { Account, BalancePoint, ChainStatusResponse } from '@roundhouse/client';
import { chartsSection } from '../charts/chart.js';
import { balanceChart } from '../charts/series-charts.js';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import type { Asked } from '../page/define-page.js';
import { downloadForm } from '../page/download-form.js';
import { factList, type Fact } from '../page/fact-list.js';
import { accountKey, key } from '../page/key.js';
import type { PageState, TransactionList } from '../page/page-state.js';
import { timeOf } from '../status/status.js';
import { transactionsTable } from '../transactions/transactions-table.js';

interface AccountView {
  readonly account: Account;
  readonly list: TransactionList;
  /** The username of the delegate that it votes for. */
  readonly votesFor: string | null;
  /** Oldest first. None if the index keeps no history. */
  readonly balances: readonly BalancePoint[];
}

const factsOf = ({ account, votesFor }: AccountView, symbol: string): readonly Fact[] => {
  const { publicKey, locked, secondPublicKey, multiSignature, vote, delegate } = account;
  return [
    ['Balance', amount(account.balance, symbol)],
    ['Locked', locked !== 0n && amount(locked, symbol)],
    ['Votes for', vote && delegateLink(votesFor, vote)],
    ['Transactions sent', formatWhole(account.nonce)],
    ['Public key', publicKey === null ? 'not known yet' : key(publicKey)],
    [
      'Delegate',
      delegate &&
        html`${delegateLink(delegate.username, publicKey ?? '')}
        ${delegate.isResigned && html`<span class="mark">resigned</span>`}`,
    ],
    ['Weight of its votes', delegate && amount(delegate.weight, symbol)],
    ['Blocks produced', delegate && formatWhole(delegate.producedblocks)],
    ['Rounds missed', delegate && formatWhole(delegate.missedblocks)],
    ['Forged in all', delegate && amount(delegate.forged, symbol)],
    ['Second public key', secondPublicKey && key(secondPublicKey)],
    [
      'Members',
      multiSignature &&
        html`<div>${formatWhole(multiSignature.min)} of them must sign</div>
          ${multiSignature.publicKeys.map((member) => html`<div>${accountKey(member)}</div>`)}`,
    ],
  ];
};

const dayAt = (status: ChainStatusResponse, timestamp: number): string =>
  new Date(timeOf(status, timestamp)).toISOString().slice(0, 10);

const statementForm = (status: ChainStatusResponse, address: string): Html => {
  const [first, last] = [dayAt(status, 0), dayAt(status, status.timestamp)];
  const day = { type: 'date', min: first, max: last } as const;
  return downloadForm({
    id: 'statement',
    title: 'Statement',
    says: 'Each change of the balance, from the first to the last day (UTC).',
    action: `/api/accounts/${encodeURIComponent(address)}/statement`,
    fields: [
      { ...day, name: 'from', label: 'From', value: first },
      { ...day, name: 'to', label: 'To', value: last },
    ],
  });
};

export const accountDetail = ({ status }: PageState, view: AccountView, asked: Asked<'cursor'>): Html => {
  const { network } = status;
  const { address } = view.account;
  const chart = balanceChart(view.balances, network);
  return html`<h1 id="title" tabindex="-1">
      <span class="kind">Account</span> <span class="key">${address}</span>
    </h1>
    <section class="panel" aria-label="Facts">${factList(factsOf(view, network.symbol))}</section>
    ${chart && chartsSection(chart)} ${transactionsTable({ status }, view.list, asked, address)}
    ${statementForm(status, address)}`;
};
