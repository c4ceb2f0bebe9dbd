import type { Html } from '../html.js';

/** Loaded before this module by a script of its own. */
declare const Idiomorph: (typeof import('idiomorph'))['Idiomorph'];

const FRESH: readonly Keyframe[] = [{ backgroundColor: 'var(--fresh)' }, { backgroundColor: 'transparent' }];

const wantsCalm = matchMedia('(prefers-reduced-motion: reduce)');

const greet = (node: Node): void => {
  if (!(node instanceof HTMLElement) || !('fresh' in node.dataset) || wantsCalm.matches) return;
  node.animate([...FRESH], { duration: 1600, easing: 'ease-out' });
};

/** What the reader has opened or ticked stays as it is. */
const keepOpen = (shown: Node, next: Node): boolean => {
  if (shown instanceof HTMLDetailsElement && next instanceof HTMLDetailsElement) next.open = shown.open;
  return true;
};

/** What is being typed is the reader's: the address has it without the space that the next word comes after. */
const leavesTyping = (name: string, element: Element): boolean =>
  name !== 'value' || element !== document.activeElement || !(element instanceof HTMLInputElement);

/** Makes what is shown equal to `markup`, touching nothing that is equal already: focus and selection stay. */
export const applyMarkup = (element: Element, markup: Html): void => {
  // It may give a promise, of style sheets in a head that it has not.
  void Idiomorph.morph(element, markup.text, {
    morphStyle: 'outerHTML',
    callbacks: { beforeNodeMorphed: keepOpen, beforeAttributeUpdated: leavesTyping, afterNodeAdded: greet },
  });
};

export const byId = (id: string): HTMLElement => document.getElementById(id)!;
