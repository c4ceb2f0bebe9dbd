import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, TcpProxy } from '@roundhouse/testing';
import type { Browser, Page } from 'playwright-core';
import { isLive, launchBrowser, openPage } from './support/browser.js';
import { apiUrl, chain, headOf } from './support/chain.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterEach(async () => {
  await chain.resume();
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(() => browser.close());

const shownHeight = async (page: Page): Promise<number> =>
  Number((await page.locator('#height').innerText()).replaceAll(',', ''));

/** The ids of the listed blocks, newest first. */
const shownBlocks = (page: Page): Promise<string[]> =>
  page
    .locator('#blocks tbody tr')
    .evaluateAll((rows) => rows.map((row) => (row as { id: string }).id.slice(6)));

/** Waits until the page shows the api's head. The chain must be paused. */
const hasHead = async (page: Page): Promise<void> => {
  await eventually('the page shows the head', async () => {
    const { id } = await headOf();
    return (await shownBlocks(page))[0] === id;
  });
};

describe('the page of a chain that grows', () => {
  it('shows each new block by itself, at the top of the list', async () => {
    const { page, complaints } = await openPage(browser, '/');
    await isLive(page);
    const height = await shownHeight(page);
    await eventually('two more blocks are shown', async () => (await shownHeight(page)) >= height + 2);
    await chain.pause();
    await hasHead(page);
    const { height: head } = await headOf();
    const [first, second] = await page.locator('#blocks tbody th').allInnerTexts();
    expect([first, second]).toEqual([head, head - 1].map((shown) => shown.toLocaleString('en')));
    expect(complaints).toEqual([]);
  });

  it('counts the confirmations of a block', async () => {
    const { height, id } = await headOf();
    const { page, complaints } = await openPage(browser, `/blocks/${id}`);
    await isLive(page);
    await eventually(
      'it has two more confirmations',
      async () => Number(await page.locator('#confirmations').innerText()) >= 2,
    );
    expect(await page.locator('h1').innerText()).toBe(`Block ${height.toLocaleString('en')}`);
    expect(complaints).toEqual([]);
  });

  it('removes the blocks that a fork undoes, says so, and shows those of the other branch', async () => {
    const { page, complaints } = await openPage(browser, '/');
    await isLive(page);
    await chain.pause();
    await hasHead(page);
    const { height } = await headOf();
    const before = await shownBlocks(page);
    await chain.fork(3);
    await page.locator('#fork-notice').waitFor();
    expect(await page.locator('#fork-notice').innerText()).toContain(
      `3 blocks above height ${(height - 3).toLocaleString('en')} were undone`,
    );
    await eventually('the other branch is indexed', async () => {
      const head = await headOf();
      return head.height === height && head.id !== before[0];
    });
    await hasHead(page);
    const after = await shownBlocks(page);
    expect(after.slice(0, 3).filter((id) => before.includes(id))).toEqual([]);
    expect(after.slice(3)).toEqual(before.slice(3));
    await page.locator('#dismiss-fork').click();
    await page.locator('#fork-notice').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('says that the block it shows was undone', async () => {
    await chain.pause();
    const { id } = await headOf();
    const { page } = await openPage(browser, `/blocks/${id}`);
    await isLive(page);
    await chain.fork(2);
    await page.locator('#undone').waitFor();
    expect(await page.locator('#confirmations').innerText()).toBe('none');
  });

  it('marks a forger whose slot passed without a block, and shows how late it is', async () => {
    const { page } = await openPage(browser, '/');
    await isLive(page);
    await chain.pause();
    await page
      .locator('tr.late .mark', { hasText: /^late \d+ s$/ })
      .first()
      .waitFor();
    await page.locator('#forgers .warning').waitFor();
    await chain.resume();
    await page.locator('tr.late').first().waitFor({ state: 'detached' });
  });

  it('keeps the focus where it is while blocks come', async () => {
    const { page } = await openPage(browser, '/');
    await isLive(page);
    const height = await shownHeight(page);
    const link = page.locator('#blocks tbody a').first();
    await link.focus();
    const focused = await link.getAttribute('href');
    await eventually('two more blocks are shown', async () => (await shownHeight(page)) >= height + 2);
    expect(await page.locator('a:focus').getAttribute('href')).toBe(focused);
  });
});

describe('the page of a server that is out of reach', () => {
  it('stays at a click, says so, and shows what was asked for when the server is back', async () => {
    const proxy = await TcpProxy.before(apiUrl);
    try {
      const { page } = await openPage(browser, '/', { url: new URL(proxy.url).origin });
      await isLive(page);
      await proxy.cut();
      await page.locator('#menu a', { hasText: 'Accounts' }).click();
      await page.locator('#outage-notice').waitFor();
      expect(await page.locator('#blocks tbody tr').count()).toBe(12);
      await proxy.restore();
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/accounts');
    } finally {
      await proxy.close();
    }
  });

  it('says so, marks what it shows as old, and continues when the server is back', async () => {
    const proxy = await TcpProxy.before(apiUrl);
    const url = new URL(proxy.url).origin;
    try {
      const { page } = await openPage(browser, '/', { url });
      await isLive(page);
      await proxy.cut();
      await page.locator('#outage-notice').waitFor();
      await page.locator('body[data-link=lost] #link', { hasText: /^No live updates$/ }).waitFor();
      expect(await page.locator('#outage-notice').innerText()).toMatch(
        /of height [\d,]+ and may be out of date/,
      );
      const height = await shownHeight(page);
      // The page also tries by itself, and takes the button away when that works.
      const asked = page.waitForRequest(/\/events/);
      await page.locator('#retry').click();
      await asked;
      await proxy.restore();
      await isLive(page);
      await page.locator('#outage-notice').waitFor({ state: 'detached' });
      await eventually('blocks come again', async () => (await shownHeight(page)) > height);
    } finally {
      await proxy.close();
    }
  });
});
