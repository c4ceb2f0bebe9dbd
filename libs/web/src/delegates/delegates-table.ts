import type { StatusDelegate } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { basisPoints, counted, formatBasisPoints, formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { writeLocation, writeOrder, type Column, type DelegateList } from '../page/location.js';
import { LONGEST_SEARCH } from '../page/location.js';
import type { PageState } from '../page/page-state.js';
import { delegateLink } from './delegate-link.js';
import { listDelegates, nextOrder } from './list-delegates.js';

interface ColumnHead {
  readonly column: Column;
  readonly title: string;
  readonly className: string;
}

const HEADS: readonly ColumnHead[] = [
  { column: 'rank', title: 'Rank', className: 'number' },
  { column: 'username', title: 'Delegate', className: '' },
  { column: 'vote', title: 'Weight', className: 'number' },
  { column: 'producedblocks', title: 'Produced', className: 'number wide' },
  { column: 'missedblocks', title: 'Missed', className: 'number' },
  { column: 'productivity', title: 'Productivity', className: 'number wide' },
  { column: 'forged', title: 'Forged', className: 'number wide' },
];

/** A button that also works without scripts: it sends the form with another order. */
const headCell = ({ column, title, className }: ColumnHead, { order }: DelegateList): Html => {
  const isSorted = order.column === column;
  const sorted = isSorted ? (order.direction === 'asc' ? 'ascending' : 'descending') : 'none';
  return html`<th scope="col" class="${className}" aria-sort="${sorted}">
    <button
      type="submit"
      form="find"
      id="sort-${column}"
      name="orderBy"
      value="${writeOrder(nextOrder(order, column))}"
    >
      ${title}
    </button>
  </th>`;
};

/** The percentage of due blocks that were forged; a dash if none was ever due. */
export const productivity = ({ producedblocks, missedblocks }: StatusDelegate): string => {
  const share = basisPoints(BigInt(producedblocks), BigInt(producedblocks + missedblocks));
  return share === null ? '–' : formatBasisPoints(share);
};

const standingMark = ({ isActive, isResigned }: StatusDelegate): Html | null => {
  if (isResigned) return html`<span class="mark">resigned</span>`;
  return isActive ? null : html`<span class="mark">standby</span>`;
};

/** Caches rows: every list of a status has the same ones, and a long list makes up nearly the whole page. */
const rows = new WeakMap<StatusDelegate, Html>();

const rowOnce = (delegate: StatusDelegate, symbol: string): Html => {
  let made = rows.get(delegate);
  if (!made) rows.set(delegate, (made = row(delegate, symbol)));
  return made;
};

const row = (delegate: StatusDelegate, symbol: string): Html =>
  html`<tr id="delegate-${delegate.publicKey}">
    <td class="number">${formatWhole(delegate.rank)}</td>
    <th scope="row">${delegateLink(delegate.username, delegate.publicKey)} ${standingMark(delegate)}</th>
    <td class="number">
      ${amount(delegate.weight, symbol)}
      <span class="share">${formatBasisPoints(delegate.approval)}</span>
    </td>
    <td class="number wide">${formatWhole(delegate.producedblocks)}</td>
    <td class="number${delegate.missedblocks > 0 ? ' some' : ''}">${formatWhole(delegate.missedblocks)}</td>
    <td class="number wide">${productivity(delegate)}</td>
    <td class="number wide">${amount(delegate.forged, symbol)}</td>
  </tr>`;

const findForm = ({ search, order, isWhole }: DelegateList): Html =>
  html`<form id="find" class="find" role="search" method="get" action="/#delegates">
    <label for="find-text">Find a delegate</label>
    <input
      type="search"
      id="find-text"
      name="q"
      maxlength="${LONGEST_SEARCH}"
      value="${search}"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />
    <input type="hidden" name="orderBy" value="${writeOrder(order)}" />
    ${isWhole && html`<input type="hidden" name="show" value="all" />`}
    <button type="submit">Find</button>
  </form>`;

/** What the list contains and how it is sorted. Screen readers announce it when either changes. */
const foundSentence = ({ search, order }: DelegateList, found: number): string => {
  const by = HEADS.find(({ column }) => column === order.column)!.title.toLowerCase();
  const direction = order.direction === 'asc' ? 'ascending' : 'descending';
  return `${foundOnes(search, found)}, by ${by}, ${direction}`;
};

const foundOnes = (search: string, found: number): string =>
  search === '' ? counted(found, 'delegate') : `${counted(found, 'delegate')} with “${search}” in the name`;

const underTable = (list: DelegateList, shown: number, found: number): Html | null => {
  if (found === 0) {
    return html`<p class="empty">
      No delegate has “<bdi>${list.search}</bdi>” in its name. <a href="/#delegates">Show all delegates</a>
    </p>`;
  }
  if (shown === found) return null;
  const whole = writeLocation({ view: 'overview', list: { ...list, isWhole: true } });
  return html`<p class="more">
    The first ${formatWhole(shown)} of ${formatWhole(found)}.
    <a href="${whole}#delegates" id="show-all">Show all ${formatWhole(found)}</a>
  </p>`;
};

export const delegatesTable = ({ status }: PageState, list: DelegateList): Html => {
  const { shown, found } = listDelegates(status.delegates, list);
  return html`<section class="panel" id="delegates" aria-labelledby="delegates-title">
    <div class="panel-head">
      <div>
        <h2 id="delegates-title">Delegates</h2>
        <p class="quiet" id="found" role="status">${foundSentence(list, found)}</p>
      </div>
      ${findForm(list)}
    </div>
    <div class="table">
      <table class="sortable">
        <caption class="unseen">
          Delegates with the weight of their votes, blocks produced and rounds missed; the headers sort
        </caption>
        <thead>
          <tr>
            ${HEADS.map((head) => headCell(head, list))}
          </tr>
        </thead>
        <tbody>
          ${shown.map((delegate) => rowOnce(delegate, status.network.symbol))}
        </tbody>
      </table>
    </div>
    ${underTable(list, shown.length, found)}
  </section>`;
};
