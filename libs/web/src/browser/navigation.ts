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

/** Other paths of the server have no pages: what is below `/api` and `/docs`, and files such as `/status.json`. */
const isPage = ({ origin, pathname }: HTMLAnchorElement | URL): boolean =>
  origin === location.origin && !/^\/(?:api|docs|assets|events)(?:\/|$)|\.json$/.test(pathname);

/** Follows the page's own links and forms without reloading it. */
export const setUpNavigation = (page: StatusPage): void => {
  const open = (url: URL): void => {
    history.pushState(null, '', url.href);
    void page.go(() => moveTo(url.hash));
  };

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || !isPlainClick(event) || !isPage(link) || link.hasAttribute('download')) return;
    // The skip link and other links within the page.
    if (link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    open(new URL(link.href));
  });

  addEventListener('popstate', () => void page.go(() => undefined));

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'get') return;
    const url = new URL(form.action);
    if (!isPage(url)) return;
    event.preventDefault();
    for (const [name, value] of new FormData(form, event.submitter))
      if (typeof value === 'string') url.searchParams.set(name, value);
    open(url);
  });
};
