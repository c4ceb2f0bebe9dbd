import { html, type Html } from '../html.js';
import { BASE, number, TOP, WIDTH } from './columns.js';

/** A place between the bottom of a chart, 0, and its top, 1. */
type Level = number;

/** A value that the chart names at its left edge. */
export interface Mark {
  readonly level: Level;
  readonly label: string;
}

type Point = readonly [x: number, y: number];

/** Room for the labels of the marks. */
const LEFT = 60;
const RIGHT = WIDTH - 4;

const yOf = (level: Level): number => BASE - level * (BASE - TOP);

/** From the smallest amount at the bottom to the largest at the top; all in the middle if they are equal. */
export const levelsOfAmounts = (amounts: readonly bigint[]): Level[] => {
  const smallest = amounts.reduce((least, amount) => (amount < least ? amount : least), amounts[0] ?? 0n);
  const largest = amounts.reduce((most, amount) => (amount > most ? amount : most), smallest);
  const range = largest - smallest;
  // Thousandths are finer than a pixel.
  return amounts.map((amount) => (range === 0n ? 0.5 : Number(((amount - smallest) * 1000n) / range) / 1000));
};

/** From rank `lowest` at the bottom to rank 1 at the top. */
export const levelOfRank = (rank: number, lowest: number): Level =>
  lowest === 1 ? 1 : (lowest - rank) / (lowest - 1);

/** The points from left to right, without the gaps (null): each run of neighbours is one line. */
export const runsOf = (levels: readonly (Level | null)[]): Point[][] => {
  const runs: Point[][] = [];
  let run: Point[] = [];
  levels.forEach((level, index) => {
    if (level === null) {
      run = [];
      return;
    }
    const share = levels.length === 1 ? 0.5 : index / (levels.length - 1);
    if (run.length === 0) runs.push(run);
    run.push([LEFT + share * (RIGHT - LEFT), yOf(level)]);
  });
  return runs;
};

const traceOf = (run: readonly Point[]): Html => {
  const [first] = run;
  return run.length === 1 && first
    ? html`<circle class="dot" cx="${number(first[0])}" cy="${number(first[1])}" r="3" />`
    : html`<polyline class="trace" points="${run.map(([x, y]) => `${number(x)},${number(y)}`).join(' ')}" />`;
};

const markOf = ({ level, label }: Mark): Html => {
  const y = number(yOf(level));
  return html`<line class="${level === 0 ? 'base' : 'aim'}" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}" />
    <text x="${LEFT - 6}" y="${number(yOf(level) + 4)}" text-anchor="end">${label}</text>`;
};

/** Draws a line through the levels, evenly from left to right, with a gap at each null. A value alone is a dot. */
export const line = (levels: readonly (Level | null)[], marks: readonly Mark[]): Html =>
  html`${marks.map(markOf)}${runsOf(levels).map(traceOf)}`;

/** The labels below the first and the last value. */
export const lineEnds = (first: string, last: string): Html =>
  html`<text x="${LEFT}" y="${BASE + 14}">${first}</text>
    <text x="${WIDTH}" y="${BASE + 14}" text-anchor="end">${last}</text>`;
