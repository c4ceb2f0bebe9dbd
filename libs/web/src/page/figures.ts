import type { ChainStatusResponse } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { hasBegun } from '../forgers/round-strip.js';
import { amount } from '../format/amount.js';
import { counted, formatBasisPoints, formatWhole, basisPoints } from '../format/numbers.js';
import { moment } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import { blocksBehind, timeOf } from '../status/status.js';
import { blockHref } from './addresses.js';
import type { PageState } from './page-state.js';

/** @param note a few words on the value */
export const figure = (name: string, value: Content, note: Content, className = ''): Html =>
  html`<div class="figure ${className}">
    <dt>${name}</dt>
    <dd class="value">${value}</dd>
    <dd class="note">${note}</dd>
  </div>`;

/** How many blocks are on top of the one at `height`. */
export const confirmations = (status: ChainStatusResponse, height: number, className = ''): Html =>
  figure(
    'Confirmations',
    html`<span id="confirmations">${formatWhole(Math.max(0, status.height - height))}</span>`,
    'blocks on top',
    className,
  );

/** An index at most this far behind counts as caught up. */
const MOST_BEHIND = 1;

const lagFigure = (status: ChainStatusResponse): Html => {
  if (status.ended) return figure('Lag', 'none', 'all blocks are here');
  const { sourceHeight } = status;
  const behind = blocksBehind(status);
  const node =
    sourceHeight === null ? 'the node has not answered yet' : `node at ${formatWhole(sourceHeight)}`;
  const lag = behind < 0 ? `node ${counted(-behind, 'block')} behind` : counted(behind, 'block');
  return figure('Lag', lag, node, behind > MOST_BEHIND ? 'warn' : '');
};

const roundFigure = (status: ChainStatusResponse): Html => {
  const { network, round, height } = status;
  if (!hasBegun(status)) return figure('Round', formatWhole(round.round - 1), 'the last one, complete');
  const forged = formatWhole(height - round.firstHeight + 1);
  return figure(
    'Round',
    formatWhole(round.round),
    `${forged} of ${counted(network.activeDelegates, 'block')}`,
  );
};

/** The few numbers that summarize the state of the chain. */
export const figures = ({ status }: PageState): Html => {
  const { network, height, supply, blocks, delegates } = status;
  const { symbol } = network;
  const [newest] = blocks;
  const standing = delegates.reduce((sum, { weight }) => sum + weight, 0n);
  return html`<dl class="figures" id="figures">
    ${figure(
      'Height',
      html`<a href="${blockHref(status.id)}" id="height">${formatWhole(height)}</a>`,
      newest && html`by ${delegateLink(newest.username, newest.generatorPublicKey)}`,
      'first',
    )}
    ${figure('Newest block', moment(timeOf(status, status.timestamp)), `one every ${network.blocktime} s`)}
    ${lagFigure(status)}
    ${figure('Supply', amount(supply, symbol), html`${amount(network.reward, symbol)} a block`)}
    ${roundFigure(status)}
    ${figure(
      'Active delegates',
      formatWhole(delegates.length),
      `${formatBasisPoints(basisPoints(standing, supply) ?? 0)} of the supply`,
    )}
  </dl>`;
};
