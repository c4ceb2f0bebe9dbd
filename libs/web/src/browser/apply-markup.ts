import type { Html } from '../html.js';

/** A separate script loads it before this module. */
declare const Idiomorph: (typeof import('idiomorph'))['Idiomorph'];

const FRESH: readonly Keyframe[] = [{ backgroundColor: 'var(--fresh)' }, { backgroundColor: 'transparent' }];

const wantsCalm = matchMedia('(prefers-reduced-motion: reduce)');

const greet = (node: Node): void => {
  if (!(node instanceof HTMLElement) || !('fresh' in node.dataset) || wantsCalm.matches) return;
  node.animate([...FRESH], { duration: 1600, easing: 'ease-out' });
};

/** Keeps open what the reader has opened. */
const keepOpen = (shown: Node, next: Node): boolean => {
  if (shown instanceof HTMLDetailsElement && next instanceof HTMLDetailsElement) next.open = shown.open;
  return true;
};

/**
 * Leaves a field alone while the reader types in it: the new value would delete a space before the next word. Of other
 * fields than searches, whose texts come from the address, it keeps what the reader has chosen.
 */
const leavesTyping = (name: string, element: Element): boolean => {
  if (name !== 'value' || !(element instanceof HTMLInputElement)) return true;
  const isChosen = element.type !== 'search' && element.value !== element.defaultValue;
  return element !== document.activeElement && !isChosen;
};

/**
 * Changes `element` to match `markup`. Parts that are equal already are not touched, so focus and selection stay.
 */
export const applyMarkup = (element: Element, markup: Pick<Html, 'text'>): void => {
  // It may return a promise, but only for style sheets in a head, which this markup does not have.
  void Idiomorph.morph(element, markup.text, {
    morphStyle: 'outerHTML',
    callbacks: { beforeNodeMorphed: keepOpen, beforeAttributeUpdated: leavesTyping, afterNodeAdded: greet },
  });
};

export const byId = (id: string): HTMLElement => document.getElementById(id)!;
