import type { ChainStatusResponse } from '@roundhouse/client';
import { delegateLink } from '../delegates/delegate-link.js';
import { counted, formatWhole } from '../format/numbers.js';
import { clockTime, duration, fullTime } from '../format/time.js';
import { html, type Content, type Html } from '../html.js';
import type { PageState } from '../page/page-state.js';
import { roundStrip } from './round-strip.js';
import { turnsOf, type Turn } from './turns.js';

const standing = ({ state, startsAt }: Turn, { status, now }: PageState): Content => {
  if (now === null) return html`<span class="mark">due</span>`;
  const endsAt = startsAt + status.network.blocktime * 1000;
  switch (state) {
    case 'late':
      return html`<span class="mark late">late${now - endsAt >= 1000 && ` ${duration(now - endsAt)}`}</span>`;
    case 'now':
      return html`<span class="mark now">forging now</span>`;
    case 'next':
      return `in ${duration(startsAt - now + 999)}`;
  }
};

const row = (turn: Turn, state: PageState): Html =>
  html`<tr id="turn-${turn.slot}" class="${turn.state}">
    <th scope="row" class="wide">${formatWhole(turn.slot)}</th>
    <td>
      <time datetime="${new Date(turn.startsAt).toISOString()}" title="${fullTime(turn.startsAt)}"
        >${clockTime(turn.startsAt)}</time
      >
    </td>
    <td>${delegateLink(turn.username, turn.publicKey)}</td>
    <td class="number">${standing(turn, state)}</td>
  </tr>`;

const lateNote = (lateCount: number, { blocks }: ChainStatusResponse): Html | null =>
  lateCount === 0
    ? null
    : html`<p class="warning">
        ${counted(lateCount, 'slot has', 'slots have')} passed without a block
        ${blocks[0] && html`since height ${formatWhole(blocks[0].height)}`}.
      </p>`;

export const forgersPanel = (state: PageState): Html => {
  const { status, now } = state;
  const { lateCount, shown } = turnsOf(status, now);
  return html`<section class="panel" id="forgers" aria-labelledby="forgers-title">
    <h2 id="forgers-title">Next forgers</h2>
    ${roundStrip(state, lateCount)} ${lateNote(lateCount, status)}
    <div class="table">
      <table>
        <caption class="unseen">
          The slots that follow and who may forge in them; times in UTC
        </caption>
        <thead>
          <tr>
            <th scope="col" class="wide">Slot</th>
            <th scope="col">Time</th>
            <th scope="col">Delegate</th>
            <th scope="col" class="number">State</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((turn) => row(turn, state))}
        </tbody>
      </table>
    </div>
  </section>`;
};
