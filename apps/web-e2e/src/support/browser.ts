import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { apiUrl } from './chain.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Only the tested page uses the network. */
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
  /** What the browser reported: violations of the policy, script errors, requests to other hosts. */
  readonly complaints: readonly string[];
}

/** Opens a page in its own profile. */
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

/** Waits until the scripts have taken over and events arrive. */
export const isLive = (page: Page): Promise<void> => page.locator('#link[data-link="live"]').waitFor();
