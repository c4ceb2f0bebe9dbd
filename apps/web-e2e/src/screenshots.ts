import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LaunchedStack } from '@roundhouse/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { isLive, launchBrowser, openPage } from './support/browser.js';

const IMAGES = fileURLToPath(new URL('../../../docs/images', import.meta.url));

interface Picture extends BrowserContextOptions {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly isWhole?: boolean;
}

const wide = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 360, height: 780 }, deviceScaleFactor: 2 };

const FOR_THE_README: readonly Picture[] = [
  { name: 'status-page-light', path: '/', colorScheme: 'light', ...wide },
  { name: 'status-page-dark', path: '/delegates/genesis_1', colorScheme: 'dark', ...wide },
];

const lateForger = (page: Page): Promise<unknown> => page.locator('tr.late').nth(1).waitFor();

/** The order matters: the last ones leave the chain paused, and the page without its server. */
const ALL: readonly Picture[] = [
  ...FOR_THE_README,
  { name: 'overview-whole', path: '/', colorScheme: 'dark', isWhole: true, ...wide },
  { name: 'overview-phone', path: '/', colorScheme: 'light', isWhole: true, ...phone },
  { name: 'delegate-phone', path: '/delegates/genesis_1', colorScheme: 'dark', isWhole: true, ...phone },
  { name: 'not-found', path: '/delegates/nobody', colorScheme: 'light', ...wide },
  { name: 'late-and-forked', path: '/', colorScheme: 'light', prepare: lateForger, ...wide },
  { name: 'late-dark', path: '/', colorScheme: 'dark', prepare: lateForger, ...wide },
  {
    name: 'out-of-reach',
    path: '/',
    colorScheme: 'light',
    prepare: async (page) => {
      await page.context().setOffline(true);
      await page.locator('#outage-notice').waitFor();
    },
    ...wide,
  },
];

const take = async (folder: string, pictures: readonly Picture[]): Promise<void> => {
  const stack = await LaunchedStack.start({ DEVNET_CONTROL: 'true', HISTORY: 'full' });
  const browser = await launchBrowser();
  try {
    for (const { name, path, prepare, isWhole = false, ...options } of pictures) {
      const { page } = await openPage(browser, path, { ...options, url: stack.url });
      if (path !== '/delegates/nobody') await isLive(page);
      if (prepare === lateForger) await order(stack.devnetUrl, 'pause', {});
      if (name === 'late-and-forked') await order(stack.devnetUrl, 'fork', { depth: 2 });
      await prepare?.(page);
      const file = join(folder, `${name}.png`);
      await page.screenshot({ path: file, fullPage: isWhole, animations: 'disabled' });
      console.log(file);
      await page.context().close();
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
};

const order = (devnetUrl: string, what: string, body: object): Promise<Response> =>
  fetch(`${devnetUrl}/devnet/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const [folder] = process.argv.slice(2);
const target = folder === undefined ? IMAGES : resolve(folder);
await mkdir(target, { recursive: true });
await take(target, folder === undefined ? FOR_THE_README : ALL);
