import { accountDetail } from '../accounts/account-detail.js';
import { blockDetail } from '../blocks/block-detail.js';
import { delegateDetail } from '../delegates/delegate-detail.js';
import { html, type Html } from '../html.js';
import { transactionDetail } from '../transactions/transaction-detail.js';
import { overview } from './overview.js';
import { endedNotice } from '../status/ended-notice.js';
import type { PageState } from './page-state.js';

const viewOf = (state: PageState): Html => {
  const { view } = state;
  switch (view.kind) {
    case 'overview':
      return overview(state, view);
    case 'delegate':
      return delegateDetail(state, view);
    case 'block':
      return blockDetail(state, view);
    case 'account':
      return accountDetail(state, view);
    case 'transaction':
      return transactionDetail(state, view);
  }
};

/** The part of the page that changes with the chain, the clock and the address. */
export const mainPart = (state: PageState): Html => html`<main id="main">${endedNotice(state)}${viewOf(state)}</main>`;

/** The title of the window. */
export const titleOf = ({ view, status }: PageState): string => {
  const place = `${status.network.name} · Roundhouse`;
  switch (view.kind) {
    case 'overview':
      return place;
    case 'delegate':
      return `${view.delegate.username} · ${place}`;
    case 'block':
      return `Block ${view.block.height} · ${place}`;
    case 'account':
      return `${view.account.address} · ${place}`;
    case 'transaction':
      return `Transaction ${view.transaction.id.slice(0, 8)} · ${place}`;
  }
};
