import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { apiUrl } from './chain.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Nothing but what is tested goes over the network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

export interface OpenPage {
  readonly page: Page;
  /** What the browser complained of: violations of the policy, errors of scripts, requests to others. */
  readonly complaints: readonly string[];
}

/** A page in a profile of its own. */
export const openPage = async (
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { readonly url?: string } = {},
): Promise<OpenPage> => {
  const { url = apiUrl, ...contextOptions } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...contextOptions });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`a request to ${request.url()}`);
  });
  await page.goto(url + path);
  return { page, complaints };
};

/** Until the scripts have taken over and events come. */
export const isLive = (page: Page): Promise<void> => page.locator('#link[data-link="live"]').waitFor();
