import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isLive, launchBrowser } from './support/browser.js';
import { apiUrl } from './support/chain.js';

const MOST_BYTES = 100_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe('the size of the page', () => {
  it('is under 100 KB over the wire, including headers and the first data', async () => {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(apiUrl);
    await isLive(page);
    await page.waitForLoadState('load');
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('paints from one request', async () => {
    const page = await browser.newPage();
    // Only the page itself is answered.
    await page.route('**/*', (route) =>
      route.request().isNavigationRequest() ? route.continue() : undefined,
    );
    await page.goto(apiUrl, { waitUntil: 'commit' });
    await page.locator('#forgers tbody tr').first().waitFor();
    expect(await page.locator('#blocks tbody tr').count()).toBe(12);
    const painted = await page.evaluate<number>(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().length))
        .observe({ type: 'paint', buffered: true }))`,
    );
    expect(painted).toBeGreaterThan(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
