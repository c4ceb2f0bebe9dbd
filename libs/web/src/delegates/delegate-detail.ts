import type { DelegateRound, StatusDelegate, Voter, WeightPoint } from '@roundhouse/client';
import { delegateCharts } from '../charts/delegate-charts.js';
import { downloadForm } from '../page/download-form.js';
import { factList } from '../page/fact-list.js';
import { accountKey, key } from '../page/key.js';
import { amount } from '../format/amount.js';
import { basisPoints, formatBasisPoints, formatWhole } from '../format/numbers.js';
import { html, type Content, type Html } from '../html.js';
import { standing } from '../forgers/standing.js';
import { turnOf } from '../forgers/turns.js';
import { blocksHref, delegateHref } from '../page/addresses.js';
import type { Asked, PageState } from '../page/define-page.js';
import { pageLinks } from '../page/page-links.js';
import { table } from '../page/table.js';
import { formatRank, productivity } from './delegates-table.js';

export const VOTERS_PER_PAGE = 50;

interface DelegateView {
  readonly delegate: StatusDelegate;
  readonly voters: readonly Voter[];
  readonly hasMoreVoters: boolean;
  /** The last ones that ended, newest first. None if the index keeps no history. */
  readonly rounds: readonly DelegateRound[];
  /** Oldest first. None if the index keeps no history. */
  readonly periods: readonly WeightPoint[];
}

type VotersAsked = Asked<'offset'>;

const standingOf = ({ isActive, isResigned }: StatusDelegate): string => {
  if (isResigned) return 'Resigned';
  return isActive ? 'Active in this round' : 'Standby';
};

const nextTurn = ({ status }: PageState, { publicKey, isActive }: StatusDelegate): Content => {
  if (!isActive) return 'Not in this round';
  if (status.ended) return 'None: the chain has ended';
  const turn = turnOf(status, publicKey);
  return turn ? standing(turn, status) : 'Not known';
};

const voterRow = ({ address, username, balance }: Voter, { weight }: StatusDelegate, symbol: string): Html =>
  html`<tr id="voter-${address}">
    <th scope="row">
      ${accountKey(address)}
      ${username !== null && html`<a href="${delegateHref(username)}"><bdi>${username}</bdi></a>`}
    </th>
    <td class="number">${amount(balance, symbol)}</td>
    <td class="number">${formatBasisPoints(basisPoints(balance, weight) ?? 0)}</td>
  </tr>`;

const pages = ({ hasMoreVoters }: DelegateView, { query, to }: VotersAsked): Html | null => {
  const offset = Number(query.offset);
  const at = (from: number): string => `${to({ offset: from > 0 ? String(from) : '' })}#voters`;
  return pageLinks('voters', [
    offset > 0 && ['Larger balances', at(offset - VOTERS_PER_PAGE), 'prev'],
    hasMoreVoters && ['Smaller balances', at(offset + VOTERS_PER_PAGE), 'next'],
  ]);
};

const SHARE = html`<abbr title="Share of the delegate's weight">Share</abbr>`;

const votersSection = (view: DelegateView, symbol: string, asked: VotersAsked): Html => {
  const { delegate, voters } = view;
  const offset = Number(asked.query.offset);
  return html`<section class="panel" id="voters" aria-labelledby="voters-title">
    <h2 id="voters-title">Voters</h2>
    ${
      voters.length === 0
        ? html`<p class="empty">
            ${offset === 0 ? 'Nobody votes for this delegate.' : 'There are no more voters.'}
          </p>`
        : html`<p class="quiet">
              ${formatWhole(offset + 1)} to ${formatWhole(offset + voters.length)}, largest balance first
            </p>
            ${table(
              `Accounts that vote for ${delegate.username}, largest balance first`,
              [['Address'], ['Balance', 'number'], [SHARE, 'number']],
              voters.map((voter) => voterRow(voter, delegate, symbol)),
            )}`
    }
    ${pages(view, asked)}
  </section>`;
};

const delegateFacts = (state: PageState, { delegate }: DelegateView): Html => {
  const blocks = formatWhole(delegate.producedblocks);
  const { symbol } = state.status.network;
  return html`<section class="panel" id="facts" aria-label="Facts">
    ${factList([
      ['Rank', `${formatRank(delegate)} of ${formatWhole(state.status.delegateCount)}`],
      ['Standing', standingOf(delegate)],
      ['Next slot', nextTurn(state, delegate)],
      ['Weight', amount(delegate.weight, symbol)],
      ['Share of the supply', formatBasisPoints(delegate.approval)],
      ['Blocks produced', html`<a href="${blocksHref(delegate.username)}">${blocks}</a>`],
      ['Rounds missed', formatWhole(delegate.missedblocks)],
      ['Productivity', productivity(delegate)],
      ['Forged in all', amount(delegate.forged, symbol)],
      ['Forged rewards', amount(delegate.rewards, symbol)],
      ['Forged fees', amount(delegate.fees, symbol)],
      ['Address', accountKey(delegate.address)],
      ['Public key', key(delegate.publicKey)],
    ])}
  </section>`;
};

/** A day of most chains; a request may ask for 2,000 blocks of the delegate. */
const USUAL_BLOCKS = 10_800;

/** What it owes its voters for a range of blocks. Only an index with history knows. */
const payoutsForm = ({ status: { height } }: PageState, { publicKey }: StatusDelegate): Html => {
  const block = { type: 'number', min: '1', max: String(height) } as const;
  return downloadForm({
    id: 'payouts',
    title: 'Payouts',
    says: 'What each voter gets of the blocks between two heights, if the delegate shares this much of them.',
    action: `/api/history/delegates/${publicKey}/payouts`,
    fields: [
      { ...block, name: 'from', label: 'From height', value: String(Math.max(1, height - USUAL_BLOCKS + 1)) },
      { ...block, name: 'to', label: 'To height', value: String(height) },
      {
        ...({ type: 'number', name: 'share', label: 'Share in %' } as const),
        value: '100',
        min: '0',
        max: '100',
        step: '0.000001',
      },
    ],
  });
};

export const delegateDetail = (state: PageState, view: DelegateView, asked: VotersAsked): Html => {
  const { network } = state.status;
  return html`<h1 id="title" tabindex="-1">
      <span class="kind">Delegate</span> <bdi>${view.delegate.username}</bdi>
    </h1>
    ${delegateFacts(state, view)} ${delegateCharts(view.rounds, view.periods, network)}
    ${votersSection(view, network.symbol, asked)}
    ${view.rounds.length > 0 && payoutsForm(state, view.delegate)}`;
};
