import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@roundhouse/testing';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings } from './support/axe.js';
import { isLive, launchBrowser, openPage } from './support/browser.js';
import { chain, getJson } from './support/chain.js';

interface Listed {
  readonly delegates: readonly { readonly username: string }[];
}

/** A page of each kind, all of one transaction. */
const detailPages = async (): Promise<string[]> => {
  type Listed = { readonly transactions: readonly Readonly<Record<'id' | 'blockId' | 'senderId', string>>[] };
  const { transactions } = await getJson<Listed>('/api/transactions?type=0&limit=1');
  const { id, blockId, senderId } = transactions[0]!;
  return [
    '/delegates/genesis_1',
    `/blocks/${blockId}`,
    `/transactions/${id}`,
    `/accounts/${senderId}`,
    `/search?q=${senderId.slice(0, 5)}`,
  ];
};

const LISTS = [
  '/',
  '/blocks',
  '/transactions',
  '/accounts',
  '/delegates?q=genesis_1',
  '/rounds',
  '/statistics',
  '/search',
  '/search?q=nothing-has-this-name',
];

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const names = (page: Page): Promise<string[]> => page.locator('#delegates tbody th a').allInnerTexts();

/** Presses Tab until the element has the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  const target = page.locator(`${selector}:focus`);
  for (let tabs = 0; tabs < 400 && (await target.count()) === 0; tabs += 1) await page.keyboard.press('Tab');
  expect(await target.count()).toBe(1);
};

describe('by keyboard alone', () => {
  it('delegates can be found, sorted, opened and left again', async () => {
    const { page, complaints } = await openPage(browser, '/delegates');
    await isLive(page);
    const sortedBy = async (direction: string): Promise<string> =>
      (await page.locator(`th[aria-sort=${direction}]`).innerText()).trim();
    await tabTo(page, '#filter-text');
    await page.keyboard.type('genesis_1');
    await page.keyboard.press('Enter');
    const found = await getJson<Listed>('/api/delegates/search?q=genesis_1');
    const expected = found.delegates.map(({ username }) => username).sort();
    await eventually('the list has what the api finds', async () => {
      const shown = (await names(page)).sort();
      return shown.join() === expected.join();
    });
    expect(await page.locator('#found').innerText()).toContain(
      `${found.delegates.length} delegates with “genesis_1”`,
    );
    await tabTo(page, '#sort-producedblocks');
    const focusRing = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect(focusRing).toBe('solid');
    await page.keyboard.press('Enter');
    await eventually('it is sorted', async () => (await sortedBy('descending')) === 'Produced');
    await tabTo(page, '#sort-producedblocks');
    await page.keyboard.press('Enter');
    await eventually('it is sorted the other way', async () => (await sortedBy('ascending')) === 'Produced');
    const produced = (await page.locator('#delegates tbody td:nth-child(4)').allInnerTexts()).map(Number);
    expect(produced).toEqual([...produced].sort((a, b) => a - b));
    await tabTo(page, '#delegates tbody a');
    const name = await page.locator('a:focus').innerText();
    await page.keyboard.press('Enter');
    await page.locator('h1#title:focus').waitFor();
    expect(await page.locator('h1').innerText()).toBe(`Delegate ${name}`);
    await page.goBack();
    await eventually('the list is shown again', async () => (await names(page)).includes(name));
    expect(await page.locator('#filter-text').inputValue()).toBe('genesis_1');
    expect(complaints).toEqual([]);
  });

  it('the pages of delegates can be turned without reloading', async () => {
    const { page, complaints } = await openPage(browser, '/delegates?offset=20');
    await isLive(page);
    await page.evaluate('window.isSame = true');
    const firstRank = (): Promise<string> => page.locator('#delegates tbody td').first().innerText();
    expect(await firstRank()).toBe('21');
    await page.locator('#delegates a[rel=prev]').focus();
    await page.keyboard.press('Enter');
    await eventually('the first page is shown', async () => (await firstRank()) === '1');
    expect(await page.evaluate('[window.isSame, location.search, location.hash].join()')).toBe('true,,');
    await page.goBack();
    await eventually('the other page is shown again', async () => (await firstRank()) === '21');
    expect(complaints).toEqual([]);
  });

  it('the first Tab reaches a link that skips the header of the page', async () => {
    const { page } = await openPage(browser, '/');
    await page.keyboard.press('Tab');
    expect(await page.locator('a:focus').innerText()).toBe('Skip to the content');
  });
});

describe('the choices of the reader', () => {
  const background = (page: Page): Promise<string> =>
    page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

  it('the theme is the system’s until another is chosen, which is remembered', async () => {
    const { page } = await openPage(browser, '/', { colorScheme: 'dark' });
    await isLive(page);
    const dark = await background(page);
    await page.locator('#theme').selectOption('light');
    const light = await background(page);
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await background(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('#theme').selectOption('dark');
    expect(await background(page)).toBe(dark);
    await page.locator('#theme').selectOption('auto');
    expect(await background(page)).toBe(light);
  });

  it('all digits stay shown after a reload', async () => {
    const { page } = await openPage(browser, '/');
    await isLive(page);
    await page.locator('#all-digits').focus();
    await page.keyboard.press('Space');
    await page.reload();
    await isLive(page);
    expect(await page.locator('#figures .exact').first().isVisible()).toBe(true);
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('axe has no findings, on any of the pages', async () => {
    for (const path of [...LISTS, ...(await detailPages()), '/delegates/nobody']) {
      const { page } = await openPage(browser, path, { colorScheme });
      if (path !== '/delegates/nobody') await isLive(page);
      await page.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.context().close();
    }
  });

  it('axe has no findings with a late forger, and after a fork', async () => {
    const { page } = await openPage(browser, '/rounds', { colorScheme });
    await isLive(page);
    await chain.pause();
    try {
      await chain.fork(1);
      await page.locator('#fork-notice').waitFor();
      await page.locator('tr.late').first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
    } finally {
      await chain.resume();
    }
  });
});

describe('a phone of 320 pixels', () => {
  it.each([false, true])('nothing has to be scrolled sideways (all digits: %s)', async (allDigits) => {
    for (const path of [...LISTS, ...(await detailPages()), '/delegates/nobody']) {
      const { page } = await openPage(browser, path, { viewport: { width: 320, height: 640 } });
      await page.locator('#all-digits').setChecked(allDigits);
      await page.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))');
      expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([
        path,
        320,
      ]);
      await page.context().close();
    }
  });
});
