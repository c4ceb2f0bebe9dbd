import { fullTime } from '../format/time.js';
import { Html, html, type Content } from '../html.js';
import { timeOf } from '../status/status.js';
import { mainPart, titleOf } from './main-part.js';
import type { ServedState } from './page-state.js';

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
export interface Trouble {
  readonly title: string;
  /** One plain sentence. */
  readonly sentence: string;
  /** Whether it may be over in a moment. If so, the page checks again by itself. */
  readonly isPassing: boolean;
}

interface Parts {
  readonly title: string;
  readonly place: Content;
  readonly linkText: string;
  readonly main: Html;
  readonly isWaiting: boolean;
  readonly hasHistory: boolean;
}

/** A roundhouse from above: stalls around a turntable. */
const MARK = html`<svg class="mark-sign" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
  <circle
    cx="16"
    cy="16"
    r="14.5"
    fill="none"
    stroke="currentColor"
    stroke-width="2.5"
    stroke-dasharray="9.4 2"
  />
  <circle cx="16" cy="16" r="7" fill="none" stroke="currentColor" stroke-width="2" />
  <path d="M10.5 19.2 21.5 12.8M11.7 21 22.3 14.6" stroke="currentColor" stroke-width="1.8" />
</svg>`;

/** Writes exactly these bytes, because the policy contains their hash. */
const inline = (element: 'style' | 'script', content: string): Html =>
  new Html(`<${element}>${content}</${element}>`);

const head = (frame: PageFrame, title: string): Html =>
  html`<head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content="The state of the chain: newest blocks, next forgers, delegates." />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${frame.icon}" type="image/svg+xml" />
    ${inline('style', frame.style)} ${inline('script', frame.themeScript)}
    ${frame.deferredScripts.map((address) => html`<script defer src="${address}"></script>`)}
    ${frame.preloadedModules.map((address) => html`<link rel="modulepreload" href="${address}" />`)}
    <script type="module" src="${frame.mainModule}"></script>
  </head>`;

const mast = ({ place, linkText }: Parts): Html =>
  html`<header class="mast">
    <a class="brand" href="/">${MARK}<span>Roundhouse</span></a>
    <p class="place" id="place">${place}</p>
    <p class="link" id="link" data-link="none">${linkText}</p>
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
  </header>`;

const FOOT = html`<footer class="foot">
  <p>Times are UTC. Short amounts are cut, not rounded; “All digits” shows them whole.</p>
  <nav aria-label="For programs">
    <a href="/docs">API documentation</a> <a href="/docs/v2">of Core’s version 2</a>
    <a href="/status.json">This page as JSON</a>
  </nav>
</footer>`;

const document = (frame: PageFrame, parts: Parts): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      ${head(frame, parts.title)}
      <body${parts.isWaiting && new Html(' data-waiting')}${parts.hasHistory && new Html(' data-history')}>
        <a class="skip" href="#main">Skip to the content</a>
        ${mast(parts)}
        <div id="notices" role="status"></div>
        ${parts.main} ${FOOT}
      </body>
    </html>`.text
  }\n`;

/** The page as a server sends it. All of it is readable before a script runs, and without scripts. */
export const renderPage = (frame: PageFrame, state: ServedState): string => {
  const { status } = state;
  return document(frame, {
    title: titleOf(state),
    place: status.network.name,
    linkText: `As of ${fullTime(timeOf(status, status.timestamp))}`,
    main: mainPart(state),
    isWaiting: false,
    hasHistory: state.hasHistory,
  });
};

export const renderTrouble = (frame: PageFrame, { title, sentence, isPassing }: Trouble): string =>
  document(frame, {
    title: `${title} · Roundhouse`,
    place: '',
    linkText: isPassing ? 'Not available' : '',
    main: html`<main id="main" class="trouble">
      <h1>${title}</h1>
      <p>${sentence}</p>
      <p>${isPassing ? html`<a href="">Try again</a>` : html`<a href="/">To the overview</a>`}</p>
    </main>`,
    isWaiting: isPassing,
    hasHistory: false,
  });
