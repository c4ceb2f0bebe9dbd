import type { StatusDelegate } from '@roundhouse/client';
import { amount } from '../format/amount.js';
import { basisPoints, counted, formatBasisPoints, formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { readOrder, writeOrder, type Column, type Order } from '../page/parameters.js';
import { searchField } from '../page/search-field.js';
import type { Asked, PageState } from '../page/define-page.js';
import { pageLinks } from '../page/page-links.js';
import { MOST_RANKED } from '../status/status.js';
import { delegateLink } from './delegate-link.js';
import { nextOrder } from './next-order.js';

export const DELEGATES_PER_PAGE = 100;

type ListAsked = Asked<'q' | 'orderBy' | 'offset'>;

export interface DelegatesPage {
  readonly delegates: readonly StatusDelegate[];
  /** How many delegates the list has on all pages. */
  readonly count: number;
}

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

const headCell = ({ column, title, className }: ColumnHead, order: Order, asked: ListAsked): Html => {
  const isSorted = order.column === column;
  const sorted = isSorted ? (order.direction === 'asc' ? 'ascending' : 'descending') : 'none';
  return html`<th scope="col" class="${className}" aria-sort="${sorted}">
    <a id="sort-${column}" href="${asked.to({ orderBy: writeOrder(nextOrder(order, column)), offset: '' })}"
      >${title}</a
    >
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

const filterForm = ({ query: { q, orderBy } }: ListAsked): Html =>
  html`<form id="filter" class="find" method="get" action="/delegates">
    <label for="filter-text">Name</label>
    ${searchField('filter-text', q)}
    ${orderBy && html`<input type="hidden" name="orderBy" value="${orderBy}" />`}
    <button type="submit">Find</button>
  </form>`;

const foundOnes = (search: string, count: number): string =>
  search === '' ? counted(count, 'delegate') : `${counted(count, 'delegate')} with “${search}” in the name`;

/** What the list contains and how it is sorted. Screen readers announce it when either changes. */
const foundSentence = (order: Order, search: string, count: number): string => {
  const by = HEADS.find(({ column }) => column === order.column)!.title.toLowerCase();
  const direction = order.direction === 'asc' ? 'ascending' : 'descending';
  return `${foundOnes(search, count)}, by ${by}, ${direction}`;
};

const hrefFrom = (asked: ListAsked, offset: number): string =>
  asked.to({ offset: offset > 0 ? String(offset) : '' });

const shownOnes = (offset: number, shown: number): string =>
  shown === 0
    ? 'There are no more delegates.'
    : `${formatWhole(offset + 1)} to ${formatWhole(offset + shown)}`;

const underTable = ({ delegates, count }: DelegatesPage, asked: ListAsked): Html | null => {
  const search = asked.query.q;
  const offset = Number(asked.query.offset);
  if (count === 0) {
    return html`<p class="empty">
      No delegate has “<bdi>${search}</bdi>” in its name. <a href="/delegates">Show all delegates</a>
    </p>`;
  }
  const next = offset + DELEGATES_PER_PAGE;
  const shown = html`<span>${shownOnes(offset, delegates.length)}</span>`;
  return pageLinks(
    'delegates',
    [
      offset > 0 && ['Previous', hrefFrom(asked, Math.min(offset, count) - DELEGATES_PER_PAGE), 'prev'],
      next < count && ['Next', hrefFrom(asked, next), 'next'],
    ],
    shown,
  );
};

export const delegatesTable = ({ status }: PageState, page: DelegatesPage, asked: ListAsked): Html => {
  const order = readOrder(asked.query.orderBy);
  return html`<section class="panel" id="delegates" aria-labelledby="delegates-title">
    <div class="panel-head">
      <div>
        <h1 id="delegates-title" tabindex="-1">Delegates</h1>
        <p class="quiet" id="found" role="status">${foundSentence(order, asked.query.q, page.count)}</p>
      </div>
      ${filterForm(asked)}
    </div>
    <div class="table">
      <table class="sortable">
        <caption class="unseen">
          Delegates with the weight of their votes, blocks produced and rounds missed; the headers sort
        </caption>
        <thead>
          <tr>
            ${HEADS.map((head) => headCell(head, order, asked))}
          </tr>
        </thead>
        <tbody>
          ${page.delegates.map((delegate) => row(delegate, status.network.symbol))}
        </tbody>
      </table>
    </div>
    ${underTable(page, asked)}
  </section>`;
};
