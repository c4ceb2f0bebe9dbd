import { html, type Html } from '../html.js';

/** "10:40:12", in UTC. */
export const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/** "2026-11-21 10:40:12 UTC". */
export const fullTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A length of time in its two largest units, rounded down: "4 s", "3 min 20 s", "2 h 5 min", "3 d 4 h". */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown =
    first < 0 ? [[0, 's'] as const] : parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
};

/** A moment as its time of day: a server keeps pages for many readers. With scripts, the page says how long ago it was. */
export const moment = (ms: number): Html =>
  html`<time data-ago datetime="${new Date(ms).toISOString()}" title="${fullTime(ms)}"
    >${clockTime(ms)}</time
  >`;
