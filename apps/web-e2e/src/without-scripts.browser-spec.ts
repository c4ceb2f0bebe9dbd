import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from './support/browser.js';
import { getJson, headOf } from './support/chain.js';

interface Listed {
  readonly delegates: readonly { readonly username: string; readonly publicKey: string }[];
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const open = (path: string) => openPage(browser, path, { javaScriptEnabled: false });

const names = (page: Page): Promise<string[]> => page.locator('#delegates tbody th a').allInnerTexts();

/** Waits for the page with this title. */
const titleIs = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();

describe('the page without scripts', () => {
  it('shows everything: the head, blocks, transactions, forgers, charts with their tables', async () => {
    const { height } = await headOf();
    const { page, complaints } = await open('/');
    const shown = Number((await page.locator('#height').innerText()).replaceAll(',', ''));
    expect(shown).toBeGreaterThanOrEqual(height);
    expect(await page.locator('#blocks tbody tr').count()).toBe(12);
    expect(await page.locator('#forgers tbody tr').count()).toBe(10);
    expect(await page.locator('.chart svg[role=img]').count()).toBe(3);
    await page.locator('#missed-table summary').click();
    expect(await page.locator('#missed-table tbody tr').count()).toBeGreaterThan(3);
    expect(await page.locator('#transactions tbody tr').count()).toBe(10);
    expect(await page.locator('#link').innerText()).toMatch(/^As of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(await page.locator('#theme-choice').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('links to a delegate with its voters, and to a block and the previous one', async () => {
    const { page } = await open('/delegates');
    expect((await names(page)).length).toBeGreaterThan(51);
    const delegate = page.locator('#delegates tbody a').first();
    const name = await delegate.innerText();
    await delegate.click();
    await titleIs(page, `Delegate ${name}`);
    expect(await page.locator('#voters tbody tr').count()).toBeGreaterThan(0);
    await page.locator('#menu a', { hasText: 'Blocks' }).click();
    const block = page.locator('#blocks tbody th a').first();
    const height = (await block.innerText()).replaceAll(',', '');
    await block.click();
    await titleIs(page, `Block ${Number(height).toLocaleString('en')}`);
    await page.locator('.facts a').first().click();
    await titleIs(page, `Block ${(Number(height) - 1).toLocaleString('en')}`);
  });

  it('finds and sorts delegates, in the order of the API', async () => {
    const { page } = await open('/delegates');
    await page.locator('#filter-text').fill('GENESIS_4');
    await page.locator('#filter-text').press('Enter');
    await page.waitForURL(/q=GENESIS_4/);
    const found = await getJson<Listed>('/api/delegates/search?q=genesis_4');
    expect((await names(page)).sort()).toEqual(found.delegates.map(({ username }) => username).sort());
    await page.locator('#filter-text').fill('');
    await page.locator('#filter-text').press('Enter');
    await page.waitForURL((url) => !url.searchParams.get('q'));
    await page.locator('#sort-username').click();
    await page.waitForURL(/orderBy=username/);
    const sorted = await getJson<Listed>('/api/delegates?orderBy=username&limit=100');
    expect(await names(page)).toEqual(sorted.delegates.map(({ username }) => username));
    expect((await page.locator('th[aria-sort=ascending]').innerText()).trim()).toBe('Delegate');
  });

  it('turns the pages of delegates', async () => {
    const { page } = await open('/delegates?q=genesis&orderBy=username%3Aasc&offset=20');
    const [first] = await names(page);
    await page.locator('#delegates a[rel=prev]').click();
    await page.waitForURL((url) => !url.searchParams.has('offset'));
    expect((await names(page))[20]).toBe(first);
    expect(await page.locator('#filter-text').inputValue()).toBe('genesis');
  });

  it('shows all digits on request', async () => {
    const { page } = await open('/');
    const supply = page.locator('#figures .amount').first();
    expect(await supply.innerText()).toMatch(/^[\d.]+ M \S+$/);
    await page.locator('#all-digits').check();
    expect(await supply.innerText()).toMatch(/^\d{3},\d{3},\d{3}\.\d{8} \S+$/);
  });

  it('says on a page what was not found', async () => {
    const { page } = await open('/delegates/nobody');
    expect(await page.locator('h1').innerText()).toBe('Not found');
  });
});
