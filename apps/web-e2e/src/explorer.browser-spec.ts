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
    const { page, complaints } = await openPage(browser, `/blocks/${blockId}`);
    await isLive(page);
    await page.evaluate('window.isSame = true');
    await page.locator(`#transaction-${id} th a`).click();
    await titleHas(page, 'Transfer');
    expect(await page.locator('main').innerText()).toContain(id);
    // The recipient may be the sender.
    await page.locator(`main a[href="/accounts/${senderId}"]`).first().click();
    await titleHas(page, senderId);
    await page.locator(`#transactions a[href="/transactions/${id}"]`).first().waitFor();
    await page.goBack();
    await titleHas(page, 'Transfer');
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('are opened by the search in the header, like blocks and accounts, from any page', async () => {
    const { id, blockId, senderId } = await newestTransfer();
    const { page, complaints } = await openPage(browser, '/statistics');
    await isLive(page);
    await page.evaluate('window.isSame = true');
    for (const [text, path] of [
      [id, `/transactions/${id}`],
      [blockId, `/blocks/${blockId}`],
      [senderId, `/accounts/${senderId}`],
    ] as const) {
      await page.locator('#find-text').fill(text);
      await page.locator('#find-text').press('Enter');
      await page.waitForURL((url) => url.pathname === path);
      await titleHas(page, path.startsWith('/blocks') ? 'Block' : path.startsWith('/a') ? text : 'Transfer');
    }
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('are shown without scripts too', async () => {
    const { id, blockId, senderId } = await newestTransfer();
    const { page } = await openPage(browser, '/', { javaScriptEnabled: false });
    await page.locator('#find-text').fill(id);
    await page.locator('#find-text').press('Enter');
    await page.waitForURL((url) => url.pathname === `/transactions/${id}`);
    expect(await page.locator('h1').innerText()).toContain('Transfer');
    await page.locator(`main a[href="/blocks/${blockId}"]`).click();
    await page.waitForURL((url) => url.pathname === `/blocks/${blockId}`);
    await page.locator(`#transaction-${id} a[href="/accounts/${senderId}"]`).first().click();
    await page.waitForURL((url) => url.pathname === `/accounts/${senderId}`);
    expect(await page.locator('#transactions').innerText()).toContain(id.slice(0, 8));
  });
});
