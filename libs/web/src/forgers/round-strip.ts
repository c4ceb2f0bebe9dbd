import type { ChainStatusResponse, Slot } from '@roundhouse/client';
import { counted, formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import type { PageState } from '../page/page-state.js';

const CELL = 10;
const GAP = 2;
const PER_LINE = 27;

const cell = ({ state, username, publicKey, slot }: Slot, index: number): Html => {
  const x = (index % PER_LINE) * (CELL + GAP);
  const y = Math.floor(index / PER_LINE) * (CELL + GAP);
  return html`<rect class="${state}" x="${x}" y="${y}" width="${CELL}" height="${CELL}" rx="2">
    <title>${username ?? publicKey}: slot ${formatWhole(slot)}, ${state}</title>
  </rect>`;
};

/** False if the chain ended with the round before: this one has no block and never will. */
export const hasBegun = ({ ended, height, round }: ChainStatusResponse): boolean =>
  !ended || height >= round.firstHeight;

/** A cell for each slot of the round. The sentence above it says the same in words. */
export const roundStrip = ({ status }: PageState): Html => {
  const { round, network } = status;
  const { slots } = round;
  const forged = status.height - round.firstHeight + 1;
  const lines = Math.ceil(slots.length / PER_LINE);
  const says = `Round ${formatWhole(round.round)}: ${forged} of ${counted(network.activeDelegates, 'block')} forged, ${counted(round.missedSlots, 'slot')} missed`;
  return html`<figure class="strip">
    <figcaption>${says}</figcaption>
    <svg
      role="img"
      aria-label="${says}"
      viewBox="0 0 ${PER_LINE * (CELL + GAP) - GAP} ${lines * (CELL + GAP) - GAP}"
    >
      ${slots.map((slot, index) => cell(slot, index))}
    </svg>
  </figure>`;
};
