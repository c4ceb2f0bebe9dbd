import { fullTime } from '../format/time.js';
import { Html, html, type Content } from '../html.js';
import { endedNotice } from '../status/ended-notice.js';
import { timeOf } from '../status/status.js';
import { PAGES } from '../pages/index.js';
import type { Shown } from './define-page.js';
import { searchField } from './search-field.js';

/** The parts of every page except its content. */
export interface PageFrame {
  /** The style sheet and the script that chooses the theme: inline, because the first paint needs them. */
  readonly style: string;
  readonly themeScript: string;
  /** Addresses of the page's other files. */
  readonly icon: string;
  readonly deferredScripts: readonly string[];
  readonly mainModule: string;
  readonly preloadedModules: readonly string[];
}

/** Something that cannot be shown, and why. */
interface Trouble {
  readonly title: string;
  /** One plain sentence. */
  readonly sentence: string;
  /** Whether it may be over in a moment. If so, the page checks again by itself. */
  readonly isPassing: boolean;
}

interface Parts {
  readonly title: string;
  readonly description: string;
  /** Null: search engines should not keep the page. */
  readonly canonical: string | null;
  /** The path of the page, which the menu marks. */
  readonly path: string;
  readonly search: string;
  readonly place: Content;
  readonly linkText: string;
  readonly main: Html;
  readonly isWaiting: boolean;
}

/** A roundhouse from above: stalls around a turntable. */
const MARK = html`<svg class="mark-sign" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
  <g fill="none" stroke="currentColor">
    <circle cx="16" cy="16" r="14.5" stroke-width="2.5" stroke-dasharray="9.4 2" />
    <circle cx="16" cy="16" r="7" stroke-width="2" />
    <path d="M10.5 19.2 21.5 12.8M11.7 21 22.3 14.6" stroke-width="1.8" />
  </g>
</svg>`;

/** Writes exactly these bytes, because the policy contains their hash. */
const inline = (element: 'style' | 'script', content: string): Html =>
  new Html(`<${element}>${content}</${element}>`);

const head = (frame: PageFrame, { title, description, canonical }: Parts): Html =>
  html`<head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${
      canonical === null
        ? html`<meta name="robots" content="noindex" />`
        : html`<meta name="description" content="${description}" />
            <link rel="canonical" href="${canonical}" />`
    }
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${frame.icon}" type="image/svg+xml" />
    ${inline('style', frame.style)} ${inline('script', frame.themeScript)}
    ${frame.deferredScripts.map((address) => html`<script defer src="${address}"></script>`)}
    ${frame.preloadedModules.map((address) => html`<link rel="modulepreload" href="${address}" />`)}
    <script type="module" src="${frame.mainModule}"></script>
  </head>`;

/** Marks the page itself, and the list of the things of which it shows one. */
const current = (path: string, of: string): Html | null => {
  if (path === of) return new Html(' aria-current="page"');
  return of !== '/' && path.startsWith(`${of}/`) ? new Html(' aria-current="true"') : null;
};

const menu = (path: string): Html =>
  html`<nav class="menu" id="menu" aria-label="Pages">
    ${PAGES.map(
      (page) => page.menu && html`<a href="${page.path}" ${current(path, page.path)}>${page.menu}</a> `,
    )}
  </nav>`;

const searchForm = (text: string): Html =>
  html`<form id="find" class="find" role="search" method="get" action="/search">
    <label class="unseen" for="find-text">Height, id, address, public key or username</label>
    ${searchField('find-text', text, 'Height, id, address or name')}
    <button type="submit">Find</button>
  </form>`;

const mast = ({ path, search, place, linkText }: Parts): Html =>
  html`<header class="mast">
    <a class="brand" href="/">${MARK}<span>Roundhouse</span></a>
    <p class="place" id="place">${place}</p>
    <p class="link" id="link" data-link="none">${linkText}</p>
    ${searchForm(search)}
    <div class="controls">
      <label class="check"><input type="checkbox" id="all-digits" /> All digits</label>
      <label class="theme" id="theme-choice" hidden
        >Theme
        <select id="theme">
          <option value="auto">Auto</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
    </div>
    ${menu(path)}
  </header>`;

const FOOT = html`<footer class="foot">
  <p>Times are UTC. Short amounts are cut, not rounded; “All digits” shows them whole.</p>
  <nav aria-label="For programs">
    <a href="/docs">API documentation</a> <a href="/docs/v2">of Core’s version 2</a>
    <a href="/status.json">The state of the chain as JSON</a>
  </nav>
</footer>`;

const document = (frame: PageFrame, parts: Parts): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      ${head(frame, parts)}
      <body${parts.isWaiting && new Html(' data-waiting')}>
        <a class="skip" href="#main">Skip to the content</a>
        ${mast(parts)}
        <div id="notices" role="status"></div>
        ${parts.main} ${FOOT}
      </body>
    </html>`.text
  }\n`;

/** The page as a server sends it. All of it is readable before a script runs, and without scripts. */
export const renderPage = (frame: PageFrame, shown: Shown): string => {
  const { status, title, main, ...parts } = shown;
  const place = `${status.network.name} · Roundhouse`;
  return document(frame, {
    ...parts,
    title: title === null ? place : `${title} · ${place}`,
    place: status.network.name,
    linkText: `As of ${fullTime(timeOf(status, status.timestamp))}`,
    main: html`<main id="main" data-height="${status.height}" data-id="${status.id}">
      ${endedNotice(status)}${main}
    </main>`,
    isWaiting: false,
  });
};

export const renderTrouble = (frame: PageFrame, { title, sentence, isPassing }: Trouble): string =>
  document(frame, {
    title: `${title} · Roundhouse`,
    description: '',
    canonical: null,
    path: '',
    search: '',
    place: '',
    linkText: isPassing ? 'Not available' : '',
    main: html`<main id="main" class="trouble">
      <h1 id="title" tabindex="-1">${title}</h1>
      <p>${sentence}</p>
      <p>${isPassing ? html`<a href="">Try again</a>` : html`<a href="/">To the overview</a>`}</p>
    </main>`,
    isWaiting: isPassing,
  });
