import { delegateLink } from '../delegates/delegate-link.js';
import { formatWhole } from '../format/numbers.js';
import { clockTime, fullTime } from '../format/time.js';
import { html, type Html } from '../html.js';
import type { PageState } from '../page/define-page.js';
import { table } from '../page/table.js';
import { hasBegun, roundStrip } from './round-strip.js';
import { standing } from './standing.js';
import { turnsOf, type Turn } from './turns.js';

const row = (turn: Turn, { status }: PageState): Html =>
  html`<tr id="turn-${turn.slot}">
    <th scope="row" class="wide">${formatWhole(turn.slot)}</th>
    <td>
      <time datetime="${new Date(turn.startsAt).toISOString()}" title="${fullTime(turn.startsAt)}"
        >${clockTime(turn.startsAt)}</time
      >
    </td>
    <td>${delegateLink(turn.username, turn.publicKey)}</td>
    <td class="number">${standing(turn, status)}</td>
  </tr>`;

const lastRound = ({ status }: PageState): Html =>
  html`<p>The chain ended with the last block of round ${formatWhole(status.round.round - 1)}.</p>`;

/** @param most how many turns it shows */
export const forgersPanel = (state: PageState, most = Infinity): Html => {
  const rows = turnsOf(state.status)
    .slice(0, most)
    .map((turn) => row(turn, state));
  const heads = [['Slot', 'wide'], ['Time'], ['Delegate'], ['State', 'number']] as const;
  return html`<section class="panel" id="forgers" aria-labelledby="forgers-title">
    <h2 id="forgers-title">${state.status.ended ? 'The last round' : 'Next forgers'}</h2>
    ${hasBegun(state.status) ? roundStrip(state) : lastRound(state)}
    <p class="warning" id="late-slots" hidden></p>
    ${rows.length > 0 && table('The slots that follow and who may forge in them; times in UTC', heads, rows)}
  </section>`;
};
