import { counted } from '../format/numbers.js';
import { duration } from '../format/time.js';
import { serverNow } from './clock.js';

const write = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

/** Says how long it is until a turn, or how late its block is. Returns whether the slot is over. */
const standing = (mark: HTMLElement, now: number): boolean => {
  const [startsAt, endsAt] = [Number(mark.dataset['starts']), Number(mark.dataset['ends'])];
  const state = now >= endsAt ? 'late' : now >= startsAt ? 'now' : 'next';
  mark.className = state === 'next' ? '' : `mark ${state}`;
  mark.closest('tr')?.setAttribute('class', state);
  if (state === 'next') write(mark, `in ${duration(startsAt - now + 999)}`);
  else if (state === 'now') write(mark, 'forging now');
  else write(mark, `late ${duration(now - endsAt)}`);
  return state === 'late';
};

/** How many slots are over since that of the head, also those that the page does not list. */
const lateSlots = (first: HTMLElement, now: number): number => {
  const startsAt = Number(first.dataset['starts']);
  return Math.max(0, Math.floor((now - startsAt) / (Number(first.dataset['ends']) - startsAt)));
};

const markLate = (late: number): void => {
  const due = document.querySelectorAll('.strip .due, .strip .late');
  due.forEach((cell, index) => cell.setAttribute('class', index < late ? 'late' : 'due'));
  const warning = document.getElementById('late-slots');
  if (!warning) return;
  warning.hidden = late === 0;
  const { height = '' } = document.getElementById('main')!.dataset;
  write(
    warning,
    `${counted(late, 'slot has', 'slots have')} passed without a block since height ${Number(height).toLocaleString('en')}.`,
  );
};

/** Writes what changes with the clock alone, from the times in the server's markup. */
export const tick = (): void => {
  const now = serverNow();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-ago]'))
    write(time, `${duration(now - Date.parse(time.dateTime))} ago`);
  const marks = [...document.querySelectorAll<HTMLElement>('[data-starts]')];
  for (const mark of marks) standing(mark, now);
  const first = document.querySelector<HTMLElement>('#forgers [data-starts]');
  if (first) markLate(lateSlots(first, now));
};
