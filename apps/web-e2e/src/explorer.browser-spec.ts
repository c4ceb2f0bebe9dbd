import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@roundhouse/testing';
import type { Browser, Page } from 'playwright-core';
import { isLive, launchBrowser, openPage } from './support/browser.js';
import { getJson } from './support/chain.js';

interface Listed {
  readonly transactions: readonly {
    readonly id: string;
    readonly height: number;
    readonly blockId: string;
    readonly senderId: string;
  }[];
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

/** The newest transfer, which has a sender and a recipient. */
const newestTransfer = async () =>
  (await getJson<Listed>('/api/transactions?type=0&limit=1')).transactions[0]!;

const titleHas = (page: Page, text: string): Promise<unknown> =>
  eventually(`the title has ${text}`, async () =>
    (await page.locator('h1#title').innerText()).includes(text),
  );

describe('transactions on the page', () => {
  it('lead from a block to a transaction, to its sender and back, without reloading', async () => {
    const { id, blockId, senderId } = await newestTransfer();
    const { page, complaints } = await openPage(browser, `/?block=${blockId}`);
    await isLive(page);
    await page.evaluate('window.isSame = true');
    await page.locator(`#transaction-${id} th a`).click();
    await titleHas(page, 'Transfer');
    expect(await page.locator('main').innerText()).toContain(id);
    // The recipient may be the sender.
    await page.locator(`main a[href="/?account=${senderId}"]`).first().click();
    await titleHas(page, senderId);
    await page.locator(`#transactions a[href="/?transaction=${id}"]`).first().waitFor();
    await page.goBack();
    await titleHas(page, 'Transfer');
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('are found by the search, like blocks and accounts', async () => {
    const { id, blockId, senderId } = await newestTransfer();
    const { page, complaints } = await openPage(browser, '/');
    await isLive(page);
    for (const [text, href] of [
      [id, `/?transaction=${id}`],
      [blockId, `/?block=${blockId}`],
      [senderId, `/?account=${senderId}`],
    ] as const) {
      await page.locator('#find-text').fill(text);
      await page.locator(`#found-others a[href="${href}"]`).waitFor();
    }
    await page.locator('#find-text').fill('');
    await eventually(
      'nothing is found any more',
      async () => (await page.locator('#found-others a').count()) === 0,
    );
    expect(complaints).toEqual([]);
  });

  it('are shown without scripts too', async () => {
    const { id, blockId, senderId } = await newestTransfer();
    const { page } = await openPage(browser, `/?q=${id}`, { javaScriptEnabled: false });
    await page.locator('#found-others a').click();
    await page.waitForURL((url) => url.search === `?transaction=${id}`);
    expect(await page.locator('h1').innerText()).toContain('Transfer');
    await page.locator(`main a[href="/?block=${blockId}"]`).click();
    await page.waitForURL((url) => url.search === `?block=${blockId}`);
    await page.locator(`#transaction-${id} a[href="/?account=${senderId}"]`).first().click();
    await page.waitForURL((url) => url.search === `?account=${senderId}`);
    expect(await page.locator('#transactions').innerText()).toContain(id.slice(0, 8));
  });
});
