import { readLocation, writeLocation, type PageLocation } from '../page/location.js';
import type { StatusPage } from './status-page.js';

/**
 * Scrolls as a link without scripts would: to the top, or to the part that it names. Moves the focus to the title.
 */
const moveTo = (hash: string): void => {
  const target = hash === '' ? null : document.getElementById(hash.slice(1));
  if (target) target.scrollIntoView();
  else scrollTo(0, 0);
  document.getElementById('title')?.focus({ preventScroll: true });
};

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A search starts after a pause this long. Typing without such a pause causes one request, for the whole text. */
const TYPING_PAUSE_MS = 150;

/** Follows the page's own links and forms without reloading it. */
export const setUpNavigation = (page: StatusPage): void => {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || !isPlainClick(event) || link.origin !== location.origin || link.pathname !== '/') return;
    // The skip link and other links within the page.
    if (link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    void page.go(readLocation(new URLSearchParams(link.search))).then(() => moveTo(link.hash));
  });

  addEventListener('popstate', () => void page.go(readLocation(new URLSearchParams(location.search))));

  /** The same query that the form would send. */
  const locationOf = (form: HTMLFormElement, submitter: HTMLElement | null): PageLocation => {
    const fields = [...new FormData(form, submitter)].filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    );
    return readLocation(new URLSearchParams(fields));
  };

  let typing: ReturnType<typeof setTimeout> | undefined;

  const list = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
    clearTimeout(typing);
    const to = locationOf(form, submitter);
    history.replaceState(null, '', writeLocation(to));
    void page.go(to);
  };

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.id !== 'find') return;
    event.preventDefault();
    list(form, event.submitter);
  });

  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement;
    const { form } = field;
    if (field.id !== 'find-text' || !form) return;
    clearTimeout(typing);
    typing = setTimeout(() => form.isConnected && list(form, null), TYPING_PAUSE_MS);
  });
};
