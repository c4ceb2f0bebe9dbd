import type { Transaction } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { amount } from '../format/amount.js';
import { counted, formatWhole } from '../format/numbers.js';
import { fullTime, moment } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import { factList, type Fact } from '../page/fact-list.js';
import { blockHref, transactionHref } from '../page/addresses.js';
import { confirmations, figure } from '../page/figures.js';
import { accountKey, key } from '../page/key.js';
import type { PageState } from '../page/page-state.js';
import { table } from '../page/table.js';
import { timeOf } from '../status/status.js';
import { lockOf, movedBy, paymentsOf, votesOf, type Payment } from './asset.js';
import { typeName } from './type-name.js';

/** What the page of a transaction shows. */
interface TransactionView {
  readonly transaction: Transaction;
  /** The usernames of the delegates that it votes for or against, by public key. */
  readonly names: ReadonlyMap<string, string>;
}

/** Amounts in an asset may have become bigint, which JSON.stringify does not take. */
const assetText = (asset: object): string =>
  JSON.stringify(asset, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2);

const vendorField = ({ vendorField: text, vendorFieldHex }: Transaction): Content =>
  text === null ? vendorFieldHex && key(vendorFieldHex) : html`<bdi>${text}</bdi>`;

/** The delegates of the votes with this sign; null if there are none. */
const votes = ({ transaction, names }: TransactionView, sign: '+' | '-'): Content => {
  const keys = votesOf(transaction).flatMap((vote) => (vote.startsWith(sign) ? [vote.slice(1)] : []));
  return (
    keys.length > 0 && keys.map((each) => html`<div>${delegateLink(names.get(each) ?? null, each)}</div>`)
  );
};

const lockLink = (id: string | null): Content =>
  id && html`<a class="key" href="${transactionHref(id)}">${id}</a>`;

const paymentsTable = (payments: readonly Payment[], symbol: string): Html =>
  html`<section class="panel" id="payments" aria-labelledby="payments-title">
    <h2 id="payments-title">Payments</h2>
    ${table(
      'The payments of this transaction, in their order',
      [['Recipient'], ['Amount', 'number']],
      payments.map(
        (payment) =>
          html`<tr>
            <th scope="row">${accountKey(payment.recipientId)}</th>
            <td class="number">${amount(payment.amount, symbol)}</td>
          </tr>`,
      ),
    )}
  </section>`;

const factsOf = (view: TransactionView, symbol: string): readonly Fact[] => {
  const { transaction } = view;
  const { recipientId, nonce, timestamp, asset, signature, secondSignature, signatures } = transaction;
  // Everything else that an asset may have is shown as it is.
  const isShown = votesOf(transaction).length > 0 || paymentsOf(transaction).length > 0;
  return [
    ['Id', key(transaction.id)],
    ['Block', html`<a href="${blockHref(transaction.blockId)}">${formatWhole(transaction.height)}</a>`],
    ['Place in the block', formatWhole(transaction.sequence + 1)],
    ['Sender', accountKey(transaction.senderId)],
    ["Sender's public key", key(transaction.senderPublicKey)],
    ['Recipient', recipientId && accountKey(recipientId)],
    ['Votes for', votes(view, '+')],
    ['Votes no longer for', votes(view, '-')],
    ['Lock', lockLink(lockOf(transaction))],
    ['Fee', amount(transaction.fee, symbol)],
    ['Vendor field', vendorField(transaction)],
    ['Asset', asset && !isShown && html`<pre class="key">${assetText(asset)}</pre>`],
    ['Nonce', nonce !== null && formatWhole(nonce)],
    ['Timestamp', timestamp !== null && `${formatWhole(timestamp)} s after the chain's epoch`],
    ['Expires at height', transaction.expiration !== null && formatWhole(transaction.expiration)],
    ['Version', formatWhole(transaction.version)],
    ['Type', `${transaction.type} of group ${transaction.typeGroup}`],
    ['Signature', signature && key(signature)],
    ['Second signature', secondSignature && key(secondSignature)],
    ['Signatures of members', signatures && signatures.map((each) => html`<div class="key">${each}</div>`)],
  ];
};

export const transactionDetail = ({ status }: PageState, view: TransactionView): Html => {
  const { symbol } = status.network;
  const { transaction } = view;
  const at = timeOf(status, transaction.blockTimestamp);
  const payments = paymentsOf(transaction);
  return html`<h1 id="title" tabindex="-1"><span class="kind">Transaction</span> ${typeName(transaction)}</h1>
    <dl class="figures">
      ${figure(
        'Amount',
        amount(movedBy(transaction), symbol),
        payments.length > 0 && `in ${counted(payments.length, 'payment')}`,
        'first',
      )}
      ${confirmations(status, transaction.height)} ${figure('Forged', moment(at), fullTime(at))}
    </dl>
    <section class="panel" aria-label="Facts">${factList(factsOf(view, symbol))}</section>
    ${payments.length > 0 && paymentsTable(payments, symbol)}`;
};
