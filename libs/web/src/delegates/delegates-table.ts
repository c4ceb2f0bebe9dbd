import type { StatusDelegate } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { basisPoints, counted, formatBasisPoints, formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import {
  LONGEST_SEARCH,
  writeLocation,
  writeOrder,
  type Column,
  type DelegateList,
} from '../page/location.js';
import { DELEGATES_PER_PAGE, type OverviewView, type PageState } from '../page/page-state.js';
import { MOST_RANKED } from '../status/status.js';
import { delegateLink } from './delegate-link.js';
import { nextOrder } from './next-order.js';

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

export const formatRank = ({ rank }: StatusDelegate): string =>
  rank === null ? `> ${formatWhole(MOST_RANKED)}` : formatWhole(rank);

const standingMark = ({ isActive, isResigned }: StatusDelegate): Html | null => {
  if (isResigned) return html`<span class="mark">resigned</span>`;
  return isActive ? null : html`<span class="mark">standby</span>`;
};

const row = (delegate: StatusDelegate, symbol: string): Html =>
  html`<tr id="delegate-${delegate.publicKey}">
    <td class="number">${formatRank(delegate)}</td>
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

const findForm = ({ search, order }: DelegateList): Html =>
  html`<form id="find" class="find" role="search" method="get" action="/#delegates">
    <label for="find-text">Name, address, id or height</label>
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
    <button type="submit">Find</button>
  </form>`;

const foundOnes = (search: string, count: number): string =>
  search === '' ? counted(count, 'delegate') : `${counted(count, 'delegate')} with “${search}” in the name`;

/** What the list contains and how it is sorted. Screen readers announce it when either changes. */
const foundSentence = ({ list: { search, order }, count }: OverviewView): string => {
  const by = HEADS.find(({ column }) => column === order.column)!.title.toLowerCase();
  const direction = order.direction === 'asc' ? 'ascending' : 'descending';
  return `${foundOnes(search, count)}, by ${by}, ${direction}`;
};

const hrefFrom = (list: DelegateList, offset: number): string =>
  `${writeLocation({ view: 'overview', list: { ...list, offset: Math.max(0, offset) } })}#delegates`;

const shownOnes = (offset: number, shown: number): string =>
  shown === 0
    ? 'There are no more delegates.'
    : `${formatWhole(offset + 1)} to ${formatWhole(offset + shown)}`;

const underTable = ({ list, delegates, count }: OverviewView): Html | null => {
  const { search, offset } = list;
  if (count === 0) {
    return html`<p class="empty">
      No delegate has “<bdi>${search}</bdi>” in its name. <a href="/#delegates">Show all delegates</a>
    </p>`;
  }
  if (offset === 0 && delegates.length === count) return null;
  const next = offset + DELEGATES_PER_PAGE;
  return html`<nav class="more" aria-label="Pages of delegates">
    <span>${shownOnes(offset, delegates.length)}</span>
    ${
      offset > 0 &&
      html`<a href="${hrefFrom(list, Math.min(offset, count) - DELEGATES_PER_PAGE)}" rel="prev">Previous</a>`
    }
    ${next < count && html`<a href="${hrefFrom(list, next)}" rel="next">Next</a>`}
  </nav>`;
};

export const delegatesTable = ({ status }: PageState, view: OverviewView): Html => {
  const { list, delegates } = view;
  return html`<section class="panel" id="delegates" aria-labelledby="delegates-title">
    <div class="panel-head">
      <div>
        <h2 id="delegates-title">Delegates</h2>
        <p class="quiet" id="found" role="status">${foundSentence(view)}</p>
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
          ${delegates.map((delegate) => row(delegate, status.network.symbol))}
        </tbody>
      </table>
    </div>
    ${underTable(view)}
  </section>`;
};
