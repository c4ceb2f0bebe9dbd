import { html, type Html } from '../html.js';

export interface ColumnPoint {
  /** What the column represents. */
  readonly label: string;
  readonly value: number;
  readonly className?: string;
}

export interface Line {
  readonly value: number;
  readonly label: string;
}

export const WIDTH = 340;
export const HEIGHT = 130;
export const TOP = 16;
const BOTTOM = 18;
/** Below it are the labels. */
export const BASE = HEIGHT - BOTTOM;
const GAP = 0.25;

/** A coordinate. */
export const number = (value: number): string => value.toFixed(1);

/**
 * Draws vertical columns over a base line, with labels below the first and the last. `line` marks a value across
 * all columns.
 */
export const columns = (points: readonly ColumnPoint[], line: Line | null): Html => {
  const largest = Math.max(1e-9, line?.value ?? 0, ...points.map(({ value }) => value));
  const heightOf = (value: number): number => (value / largest) * (BASE - TOP);
  const step = WIDTH / Math.max(points.length, 1);
  const column = ({ label, value, className = '' }: ColumnPoint, index: number): Html => {
    const height = Math.max(heightOf(value), value > 0 ? 2 : 1);
    return html`<rect
      class="column ${value > 0 ? className : 'none'}"
      x="${number(step * (index + GAP / 2))}"
      y="${number(BASE - height)}"
      width="${number(Math.min(step * (1 - GAP), 40))}"
      height="${number(height)}"
      rx="1.5"
    >
      <title>${label}</title>
    </rect>`;
  };
  const lineAt = line && BASE - heightOf(line.value);
  return html`${points.map(column)}
    ${
      lineAt !== null &&
      html`<line class="aim" x1="0" x2="${WIDTH}" y1="${number(lineAt)}" y2="${number(lineAt)}" />
        <text class="aim" x="${WIDTH}" y="${number(lineAt - 4)}" text-anchor="end">${line?.label}</text>`
    } <line class="base" x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}" />`;
};

/** The labels of the first and the last column. */
export const ends = (first: string, last: string): Html =>
  html`<text x="0" y="${HEIGHT - 4}">${first}</text>
    <text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${last}</text>`;
