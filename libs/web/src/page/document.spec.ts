import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Account, Block, Day, Transaction } from '@roundhouse/client';
import { loadAssets } from '../load-assets.js';
import { PAGES } from '../pages/index.js';
import { aDelegate, aDelegateRound, aStatus, keyOf } from '../status/status.harness.js';
import type { PageReader } from './define-page.js';
import { renderPage, renderTrouble } from './document.js';

const { frame, contentSecurityPolicy } = loadAssets();

const HOSTILE = `"><script>alert('1')</script>`;

const HUGE = 9_007_199_254_740_993n;

const PAYMENT = { recipientId: 'D3', amount: HUGE };

const blockOf = (name: string): Block => ({
  id: name,
  version: 0,
  timestamp: 792,
  previousBlock: name,
  height: 90,
  numberOfTransactions: 1,
  totalAmount: HUGE,
  totalFee: 1n,
  reward: 0n,
  payloadLength: 32,
  payloadHash: name,
  generatorPublicKey: keyOf(1),
  blockSignature: name,
  confirmations: 2,
});

const transactionOf = (name: string): Transaction => ({
  id: name,
  blockId: name,
  height: 90,
  sequence: 0,
  blockTimestamp: 792,
  confirmations: 2,
  version: 1,
  network: 23,
  typeGroup: 1,
  type: 6,
  timestamp: 790,
  nonce: null,
  senderPublicKey: keyOf(1),
  senderId: name,
  recipientId: name,
  amount: HUGE,
  fee: 1n,
  expiration: null,
  vendorField: name,
  vendorFieldHex: '72656e74',
  asset: { [name]: { [name]: name }, payments: [PAYMENT, { recipientId: name, amount: 0n }] },
  signature: 'cd',
  secondSignature: name,
  signatures: [name],
});

const accountOf = (name: string): Account => ({
  address: name,
  publicKey: name,
  balance: HUGE,
  locked: 0n,
  nonce: 3,
  secondPublicKey: name,
  multiSignature: { min: 1, publicKeys: [name] },
  vote: name,
  delegate: null,
});

const dayOf = (day: number, transactions: number): Day => ({
  date: `2026-01-0${day}`,
  isRunning: day === 2,
  firstHeight: 1,
  lastHeight: 9,
  blocks: 9,
  missedSlots: 0,
  transactions,
  volume: HUGE,
  fees: 1n,
  rewards: 1n,
  activeAddresses: 3,
  newAccounts: 1,
  supply: HUGE,
});

/** What the api answers if everything has this name. */
const answersOf = (name: string, changes: Readonly<Record<string, unknown>> = {}): PageReader => {
  const status = aStatus();
  const list = { transactions: [transactionOf(name)], nextCursor: name };
  const delegate = aDelegate(1, { username: name, address: name });
  const answers: Readonly<Record<string, unknown>> = {
    '/status.json': {
      ...status,
      network: { ...status.network, name, symbol: name, token: name },
      delegates: [delegate],
      blocks: status.blocks.map((block) => ({ ...block, username: name })),
      round: { ...status.round, slots: [{ ...status.round.slots[0]!, state: 'due', username: name }] },
    },
    '/delegates.json': { delegates: [delegate, aDelegate(2, { username: name, isActive: false })], count: 5 },
    '/api/blocks': { blocks: [blockOf(name)] },
    '/api/delegates/{delegate}/blocks': { blocks: [blockOf(name)], nextCursor: name },
    '/api/blocks/{block}': { block: blockOf(name) },
    '/api/blocks/{block}/transactions': list,
    '/api/transactions': list,
    '/api/transactions/{id}': { transaction: transactionOf(name) },
    '/api/accounts': { accounts: [accountOf(name)], nextCursor: name },
    '/api/accounts/{account}': { account: accountOf(name) },
    '/api/accounts/{account}/transactions': list,
    '/api/delegates/voters': {
      accounts: [{ username: name, address: name, publicKey: keyOf(1), balance: 1n }],
    },
    '/api/history/delegates/{delegate}/rounds': { rounds: [aDelegateRound(22, HUGE)] },
    '/api/history/delegates/{delegate}/series': {
      points: [1n, HUGE].map((weight) => ({ time: '2026-01-01', height: 9, weight, rank: 1 })),
    },
    '/api/history/accounts/{address}/series': {
      points: [1n, HUGE].map((balance) => ({ time: '2026-01-01', height: 9, balance, locked: 0n })),
    },
    '/api/statistics/daily': { days: [dayOf(2, 5), dayOf(1, 8)], nextCursor: name },
    '/api/search': {
      delegates: [delegate],
      accounts: [accountOf(name)],
      blocks: [blockOf(name)],
      transactions: [transactionOf(name)],
    },
    ...changes,
  };
  const get = (path: string): Promise<unknown> => Promise.resolve(answers[path]);
  return { get, getHistory: get } as PageReader;
};

const render = async (
  path: string,
  name: string,
  { query = {}, changes }: { query?: Record<string, string>; changes?: Record<string, unknown> } = {},
): Promise<string> => {
  const page = PAGES.find((each) => each.path === path)!;
  return renderPage(frame, await page.show(answersOf(name, changes), page.asked(name, query)));
};

describe.each([...PAGES.map(({ path }) => path), 'an error page'])('in %s', (path) => {
  const renderWith = async (name: string): Promise<string> =>
    path === 'an error page'
      ? renderTrouble(frame, { title: name, sentence: name, isPassing: true })
      : render(path, name, { query: { q: name, offset: '50', cursor: name } });

  it('foreign text makes neither elements nor attributes', async () => {
    const page = await renderWith(HOSTILE);
    expect(page).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
    expect(page).not.toContain(`<script>alert`);
    expect(page).not.toContain(`"><script>`);
  });

  it('the policy allows exactly the inline style and script', async () => {
    const page = await renderWith('name');
    const inlined = [...page.matchAll(/<(style|script)>([^]*?)<\/\1>/g)].map(([, , content]) => content!);
    expect(inlined).toHaveLength(2);
    for (const content of inlined) {
      const hash = createHash('sha256').update(content).digest('base64');
      expect(contentSecurityPolicy).toContain(`'sha256-${hash}'`);
    }
  });

  it('there is a search, a title, and nothing of another server', async () => {
    const page = await renderWith('name');
    expect(page.match(/<form id="find"[^>]*action="\/search"/g)).toHaveLength(1);
    expect(page.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page).toContain('<title>');
    expect(page).not.toMatch(/(?:src|href)="(?!\/|#|")/);
    expect(page).not.toMatch(/\/\/(?!www\.w3\.org)[a-z]+\.[a-z]/);
    expect(page).not.toMatch(/ style=| on[a-z]+=/);
  });
});

describe('a page', () => {
  it('marks itself in the menu, or the list that has what it shows', async () => {
    expect(await render('/blocks', '')).toMatch(/href="\/blocks"\s+aria-current="page"/);
    const page = await render('/blocks/:name', '1');
    expect(page).toMatch(/href="\/blocks"\s+aria-current="true"/);
    expect(page.match(/aria-current="/g)).toHaveLength(1);
  });

  it('names the best address of what it shows', async () => {
    const page = await render('/delegates/:name', keyOf(1), {
      changes: { '/delegates.json': { delegates: [aDelegate(7)], count: 1 } },
    });
    expect(page).toContain('<link rel="canonical" href="/delegates/delegate_7" />');
    expect(page).toContain('<title>delegate_7 · ');
  });

  it('shows times of day, and says from when its scripts count', async () => {
    const page = await render('/', 'name');
    expect(page).not.toContain(' ago<');
    expect(page).toMatch(/<time data-ago datetime="[^"]+" title="[^"]+" *>\d\d:\d\d:\d\d</);
    expect(page).toMatch(/data-starts="\d+" data-ends="\d+"/);
  });

  it('counts confirmations from the head', async () =>
    expect(/id="confirmations">\s*(.*?)\s*</.exec(await render('/blocks/:name', '1'))![1]).toBe('2'));

  it('shows a transaction with its asset and all digits', async () => {
    const page = await render('/transactions/:name', 'name');
    expect(page).toContain('Multi-payment');
    expect(page).toContain('<span class="exact">90,071,992.54740993</span');
    expect(page).toContain('href="/accounts/D3"');
    expect(page).toContain('in 2 payments');
    expect(page).not.toContain('Asset');
  });

  it('shows an asset of another type as it is', async () => {
    const transaction = { ...transactionOf('name'), typeGroup: 9, asset: { size: 5n } };
    const page = await render('/transactions/:name', 'name', {
      changes: { '/api/transactions/{id}': { transaction } },
    });
    expect(page).toContain('Type 6 of group 9');
    expect(page).toContain('&quot;size&quot;: &quot;5&quot;');
  });

  it('links a claim to its lock, and a vote to its delegates', async () => {
    const of = (asset: object): Promise<string> =>
      render('/transactions/:name', 'name', {
        changes: { '/api/transactions/{id}': { transaction: { ...transactionOf('name'), asset } } },
      });
    expect(await of({ claim: { lockTransactionId: 'ab12', unlockSecret: 'cd' } })).toContain(
      'href="/transactions/ab12"',
    );
    const vote = await of({ votes: [`-${keyOf(2)}`, `+${keyOf(1)}`] });
    expect(vote).toMatch(/Votes for<\/dt> <dd><div><a href="\/delegates\/name"/);
    expect(vote).toContain('Votes no longer for');
  });

  it('shows to the one who was paid what he got, and to all others the sum', async () => {
    const payments = [
      { recipientId: 'D1', amount: 5n },
      { recipientId: 'D2', amount: 7n },
    ];
    const transactions = [{ ...transactionOf('paid'), recipientId: null, amount: 0n, asset: { payments } }];
    const changes = {
      '/api/transactions': { transactions, nextCursor: null },
      '/api/accounts/{account}/transactions': { transactions, nextCursor: null },
    };
    const all = await render('/transactions', '', { changes });
    expect(all).toContain('<data class="amount" value="12"');
    expect(all).toContain('<a href="/transactions/paid">2 payments</a>');
    const paid = await render('/accounts/:name', 'D1', { changes });
    expect(paid).toContain('<data class="amount" value="5"');
    expect(paid).toMatch(/<a class="key brief" href="\/accounts\/D1"[^>]*>D1…<\/a> of <a/);
  });

  it('names the delegate that an account votes for, and offers its statement and its balances', async () => {
    const page = await render('/accounts/:name', 'D1');
    expect(page).toMatch(/Votes for<\/dt> <dd><a href="\/delegates\/D1">/);
    expect(page).toContain('action="/api/accounts/D1/statement"');
    expect(page).toContain('name="to" value="2026-01-01"');
    expect(page).toContain('Balance over time');
    const without = await render('/accounts/:name', 'D1', {
      changes: { '/api/history/accounts/{address}/series': null },
    });
    expect(without).not.toContain('Balance over time');
  });

  it('links a block to the one after it, which the newest does not have', async () => {
    expect(await render('/blocks/:name', '1')).toContain('<a href="/blocks/91" rel="next">91</a>');
    const newest = { block: { ...blockOf('1'), height: 92 } };
    expect(await render('/blocks/:name', '1', { changes: { '/api/blocks/{block}': newest } })).toContain(
      'none yet',
    );
  });

  it('links a delegate to its blocks, whose pages have cursors', async () => {
    expect(await render('/delegates/:name', 'name')).toContain('<a href="/blocks?delegate=name">');
    const page = await render('/blocks', 'C2', { query: { delegate: 'D1', cursor: 'C1' } });
    expect(page).toContain('<a href="/delegates/D1"><bdi>D1</bdi></a>');
    expect(page).toMatch(/href="\/blocks\?delegate=D1">Newest/);
    expect(page).toMatch(/href="\/blocks\?delegate=D1&amp;cursor=C2" rel="next">Older/);
  });

  it('offers payouts only if history is kept, with the weight over all time', async () => {
    const page = await render('/delegates/:name', 'name');
    expect(page).toContain(`action="/api/history/delegates/${keyOf(1)}/payouts"`);
    expect(page).toContain('Weight over time');
    const without = await render('/delegates/:name', 'name', {
      changes: {
        '/api/history/delegates/{delegate}/rounds': null,
        '/api/history/delegates/{delegate}/series': null,
      },
    });
    expect(without).not.toContain('payouts');
    expect(without).not.toContain('over time');
  });

  it('draws each day, the newest in words', async () => {
    const page = await render('/statistics', '');
    expect(page).toContain('5 on 2026-01-02 so far; at most 8 on one day.');
    expect(page).toContain('90,071,992.54740993');
    expect(await render('/statistics', '', { changes: { '/api/statistics/daily': { days: [] } } })).toContain(
      'Share of votes',
    );
  });

  it('links an account to its transactions, and to the next page of them', async () => {
    const page = await render('/accounts/:name', 'D1');
    expect(page).toContain('href="/transactions/D1"');
    expect(page).toContain('href="/accounts/D1?cursor=D1#transactions"');
  });

  it('says that no round has ended, that no delegate and that nothing was found', async () => {
    expect(await render('/', 'n', { changes: { '/status.json': aStatus({ rounds: [] }) } })).toContain(
      'No round has ended yet.',
    );
    const changes = { '/delegates.json': { delegates: [], count: 0 } };
    expect(await render('/delegates', '', { query: { q: 'zzz' }, changes })).toContain(
      'No delegate has “<bdi>zzz</bdi>” in its name.',
    );
    expect(await render('/search', '')).toContain('The search above finds heights');
  });

  it('of a chain that has ended, says so, and waits for no block', async () => {
    const ended = { height: 92, id: '92', forgedAt: '2026-01-01T00:13:28Z', provenAt: null };
    const changes = { '/status.json': aStatus({ ended, sourceHeight: null }) };
    for (const [path, name] of [
      ['/', ''],
      ['/rounds', ''],
      ['/delegates/:name', 'delegate_1'],
    ] as const) {
      expect(await render(path, name)).toContain('data-starts');
      const page = await render(path, name, { changes });
      expect(page).toContain('This chain ended at block 92');
      expect(page).not.toMatch(/data-starts|Next forgers|has not answered/);
    }
  });

  it('of a chain that has ended with a round, shows no round that will never begin', async () => {
    const ended = { height: 88, id: '88', forgedAt: '2026-01-01T00:12:56Z', provenAt: null };
    const changes = { '/status.json': aStatus({ ended, height: 88 }) };
    const page = await render('/', '', { changes });
    expect(page).toContain('The chain ended with the last block of round 22.');
    expect(page).toMatch(/Round<\/dt>\s*<dd[^]{0,80}>22</);
    expect(page).not.toMatch(/0 of \d+ blocks/);
  });

  it('links to the pages before and after, and says which delegates it shows', async () => {
    const navigation = async (offset: string, shown: number, count: number): Promise<readonly string[]> => {
      const delegates = Array.from({ length: shown }, (_, index) => aDelegate(index + 1));
      const query = { q: 'a b', orderBy: 'vote:desc', offset };
      const page = await render('/delegates', '', {
        query,
        changes: { '/delegates.json': { delegates, count } },
      });
      const [nav = ''] = /<nav class="more"[^]*?<\/nav>/.exec(page) ?? [];
      return [
        /<span>(.*?)<\/span>/.exec(nav)?.[1] ?? '',
        ...[...nav.matchAll(/href="(.*?)"/g)].map(([, to]) => to!),
      ];
    };
    const to = (rest: string): string => `/delegates?q=a+b&amp;orderBy=vote%3Adesc${rest}`;
    expect(await navigation('', 5, 5)).toEqual(['']);
    expect(await navigation('', 5, 105)).toEqual(['1 to 5', to('&amp;offset=100')]);
    expect(await navigation('100', 5, 305)).toEqual(['101 to 105', to(''), to('&amp;offset=200')]);
    expect(await navigation('900', 0, 250)).toEqual(['There are no more delegates.', to('&amp;offset=150')]);
  });

  it('charts a delegate with rounds, and says nothing about them without', async () => {
    expect((await render('/delegates/:name', 'n')).match(/<svg role="img"/g)).toHaveLength(4);
    const changes = { '/api/history/delegates/{delegate}/rounds': null };
    expect(await render('/delegates/:name', 'n', { changes })).not.toMatch(/role="img"|round end|history/i);
  });

  it('shows where ranks end', async () => {
    const changes = { '/delegates.json': { delegates: [aDelegate(1, { rank: null })], count: 1 } };
    expect(await render('/delegates', '', { changes })).toContain('<td class="number">&gt; 5,000</td>');
  });
});
