import { learnClock } from './clock.js';

const TIMEOUT_MS = 10_000;

/** A page as the server sent it. */
export interface LoadedPage {
  /** Where it was found at last. */
  readonly url: string;
  /** Whether there is such a thing. */
  readonly isFound: boolean;
  readonly page: Document;
}

/** Loads a page, from the browser's cache if the server says that it is still the same. Throws if the server cannot answer. */
export const loadPage = async (url: string): Promise<LoadedPage> => {
  const response = await fetch(url, {
    cache: 'no-cache',
    headers: { Accept: 'text/html' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  learnClock(response);
  if (response.status >= 429) throw new Error(`The server answered ${response.status}.`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (!page.getElementById('main')) throw new Error('This is no page.');
  return { url: response.url, isFound: response.ok, page };
};
