import type { ChainStatusResponse, StatusDelegate } from '@roundhouse/client';
import { exactAmount } from '../format/amount.js';
import { basisPoints, counted, formatBasisPoints } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { MOST_RANKED } from '../status/status.js';
import { chartFigure } from './chart.js';
import { WIDTH } from './columns.js';

const MOST_NAMED = 8;
const LINE = 17;
const NAMES = 132;
const FIGURES = 54;

export interface Share {
  readonly name: string;
  readonly weight: bigint;
  readonly className: string;
}

const sum = (delegates: readonly StatusDelegate[]): bigint =>
  delegates.reduce((total, { weight }) => total + weight, 0n);

/** The shares of the supply: all of it, in at most eleven parts. The largest active delegates are named. */
export const sharesOf = (status: ChainStatusResponse): Share[] => {
  const { delegates, delegateCount, totalWeight, supply } = status;
  const named = delegates.filter(({ weight }) => weight > 0n).slice(0, MOST_NAMED);
  const active = delegates.filter((delegate) => !named.includes(delegate));
  const standby = Math.min(delegateCount, MOST_RANKED) - delegates.length;
  const rest = supply - totalWeight;
  const share = (name: string, weight: bigint, className: string): Share => ({ name, weight, className });
  return [
    ...named.map(({ username, weight }) => share(username, weight, 'named')),
    share(counted(active.length, 'other active', 'others active'), sum(active), 'others'),
    share(counted(standby, 'standby', 'standby'), totalWeight - sum(delegates), 'others'),
    // The balances of genesis accounts may be negative, so keep the rest at 0 or more.
    share(delegateCount > MOST_RANKED ? 'the rest' : 'without a vote', rest > 0n ? rest : 0n, 'rest'),
  ].filter(({ weight, className }) => weight > 0n || className === 'rest');
};

const shareText = ({ weight }: Share, supply: bigint): string =>
  formatBasisPoints(basisPoints(weight, supply) ?? 0);

const bar = (share: Share, index: number, supply: bigint, largest: bigint): Html => {
  const y = index * LINE;
  const room = WIDTH - NAMES - FIGURES;
  const width = Math.max(1, ((basisPoints(share.weight, largest) ?? 0) * room) / 10_000);
  return html`<g>
    <title>${share.name}: ${shareText(share, supply)}</title>
    <text x="0" y="${y + 12}">${share.name}</text>
    <rect
      class="bar ${share.className}"
      x="${NAMES}"
      y="${y + 3}"
      width="${width.toFixed(1)}"
      height="11"
      rx="1.5"
    />
    <text class="figure" x="${WIDTH}" y="${y + 12}" text-anchor="end">${shareText(share, supply)}</text>
  </g>`;
};

export const votesChart = (status: ChainStatusResponse): Html => {
  const { supply, network } = status;
  const shares = sharesOf(status);
  const largest = shares.reduce((most, { weight }) => (weight > most ? weight : most), 0n);
  const voted = basisPoints(status.totalWeight, supply) ?? 0;
  return chartFigure({
    id: 'votes',
    title: 'Share of votes',
    description: `${formatBasisPoints(voted)} of the supply votes for a delegate.`,
    height: shares.length * LINE,
    drawing: shares.map((share, index) => bar(share, index, supply, largest)),
    table: {
      heads: ['Votes for', 'Share', `Weight in ${network.token}`],
      rows: shares.map((share) => [share.name, shareText(share, supply), exactAmount(share.weight)]),
    },
  });
};
