import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, LaunchedStack } from '@roundhouse/testing';
import type { Browser, Page } from 'playwright-core';
import { isLive, launchBrowser, openPage } from './support/browser.js';
import { getJson } from './support/chain.js';

interface Rounds {
  readonly rounds: readonly { readonly round: number; readonly height: number; readonly rank: number }[];
}

const DELEGATE = '/delegates/genesis_1';

/** A round has 51 blocks, one every 2 s, and some missed slots. */
const ROUND_MS = 200_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const roundsNow = async (): Promise<Rounds['rounds']> =>
  (await getJson<Rounds>('/api/history/delegates/genesis_1/rounds?limit=100')).rounds;

const charts = (page: Page) => page.getByRole('img', { name: /at round ends/ });

/** The numbers of the rounds in a chart's table. */
const tableRounds = async (page: Page): Promise<string[]> =>
  (await page.locator('#ranks-table tbody th').allTextContents()).map((text) => text.trim());

describe('a delegate of an index with history', () => {
  it('has charts of weight and rank with their figures, without scripts too', async () => {
    const [newest] = await roundsNow();
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await openPage(browser, DELEGATE, { javaScriptEnabled });
      if (javaScriptEnabled) await isLive(page);
      expect(await charts(page).count()).toBe(2);
      expect(await page.locator('#rounds polyline').count()).toBe(2);
      const shown = await tableRounds(page);
      expect(shown[0]).toBe('1');
      expect(Number(shown.at(-1))).toBeGreaterThanOrEqual(newest!.round);
      expect(complaints).toEqual([]);
    }
  });

  it('is followed from the list', async () => {
    const { page, complaints } = await openPage(browser, '/delegates');
    await isLive(page);
    await page.locator('#delegates tbody a').first().click();
    await charts(page).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('gets another point when a round ends', async () => {
    const { page, complaints } = await openPage(browser, DELEGATE);
    await isLive(page);
    const before = Number((await tableRounds(page)).at(-1));
    await eventually(
      'the round that ended is shown',
      async () => Number((await tableRounds(page)).at(-1)) === before + 1,
      ROUND_MS,
    );
    expect(complaints).toEqual([]);
  });
});

describe('a delegate of an index without history', () => {
  let stack: LaunchedStack;

  beforeAll(async () => {
    stack = await LaunchedStack.start();
  });

  afterAll(() => stack.stop());

  it('has no charts', async () => {
    const { page, complaints } = await openPage(browser, DELEGATE, { url: stack.url });
    await isLive(page);
    expect(await page.locator('#voters').count()).toBe(1);
    expect(await page.locator('main svg').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
