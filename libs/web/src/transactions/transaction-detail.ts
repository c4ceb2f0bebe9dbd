import type { Transaction } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { fullTime, moment } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import { factList } from '../page/fact-list.js';
import { accountHref, blockHref } from '../page/addresses.js';
import type { PageState } from '../page/page-state.js';
import { timeOf } from '../status/status.js';
import { typeName } from './type-name.js';

const key = (text: string): Html => html`<span class="key">${text}</span>`;

const accountKey = (address: string): Html =>
  html`<a class="key" href="${accountHref(address)}">${address}</a>`;

/** Amounts in an asset may have become bigint, which JSON.stringify does not take. */
const assetText = (asset: object): string =>
  JSON.stringify(asset, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2);

const vendorField = ({ vendorField: text, vendorFieldHex }: Transaction): Content =>
  text === null ? vendorFieldHex && key(vendorFieldHex) : html`<bdi>${text}</bdi>`;

export const transactionDetail = ({ status }: PageState, transaction: Transaction): Html => {
  const { symbol } = status.network;
  const { recipientId, nonce, timestamp, asset, signature, secondSignature, signatures } = transaction;
  const at = timeOf(status, transaction.blockTimestamp);
  const facts: readonly (readonly [string, Content])[] = [
    ['Id', key(transaction.id)],
    ['Block', html`<a href="${blockHref(transaction.blockId)}">${formatWhole(transaction.height)}</a>`],
    ['Place in the block', formatWhole(transaction.sequence + 1)],
    ['Sender', accountKey(transaction.senderId)],
    ["Sender's public key", key(transaction.senderPublicKey)],
    ['Recipient', recipientId && accountKey(recipientId)],
    ['Fee', amount(transaction.fee, symbol)],
    ['Vendor field', vendorField(transaction)],
    ['Asset', asset && html`<pre class="key">${assetText(asset)}</pre>`],
    ['Nonce', nonce !== null && formatWhole(nonce)],
    ['Timestamp', timestamp !== null && `${formatWhole(timestamp)} s after the chain's epoch`],
    ['Expires at height', transaction.expiration !== null && formatWhole(transaction.expiration)],
    ['Version', formatWhole(transaction.version)],
    ['Type', `${transaction.type} of group ${transaction.typeGroup}`],
    ['Signature', signature && key(signature)],
    ['Second signature', secondSignature && key(secondSignature)],
    ['Signatures of members', signatures && signatures.map((each) => html`<div class="key">${each}</div>`)],
  ];
  return html`<h1 id="title" tabindex="-1"><span class="kind">Transaction</span> ${typeName(transaction)}</h1>
    <dl class="figures">
      <div class="figure first">
        <dt>Amount</dt>
        <dd class="value">${amount(transaction.amount, symbol)}</dd>
      </div>
      <div class="figure">
        <dt>Confirmations</dt>
        <dd class="value" id="confirmations">
          ${formatWhole(Math.max(0, status.height - transaction.height))}
        </dd>
        <dd class="note">blocks on top of its block</dd>
      </div>
      <div class="figure">
        <dt>Forged</dt>
        <dd class="value">${moment(at)}</dd>
        <dd class="note">${fullTime(at)}</dd>
      </div>
    </dl>
    <section class="panel" aria-label="Facts">
      ${factList(facts.filter(([, value]) => value !== null && value !== false))}
    </section>`;
};
