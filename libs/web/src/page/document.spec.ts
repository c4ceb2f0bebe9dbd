import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Account, Block, Transaction } from '@roundhouse/client';
import { loadAssets } from '../load-assets.js';
import { aDelegate, aDelegateRound, aStatus, keyOf } from '../status/status.harness.js';
import { timeOf } from '../status/status.js';
import { renderPage, renderTrouble } from './document.js';
import { DEFAULT_ORDER } from './location.js';
import type { DelegateView, OverviewView, ServedState, View } from './page-state.js';

const { frame, contentSecurityPolicy } = loadAssets();

const HOSTILE = `"><script>alert('1')</script>`;

const BLOCK: Block = {
  id: '9000000000000000090',
  version: 0,
  timestamp: 792,
  previousBlock: '8900000000000000089',
  height: 90,
  numberOfTransactions: 1,
  totalAmount: 9_007_199_254_740_993n,
  totalFee: 1n,
  reward: 0n,
  payloadLength: 32,
  payloadHash: 'ab'.repeat(32),
  generatorPublicKey: keyOf(1),
  blockSignature: 'cd'.repeat(35),
  confirmations: 2,
};

const TRANSACTION: Transaction = {
  ...{ id: 'ab'.repeat(32), blockId: BLOCK.id, height: 90, sequence: 0, blockTimestamp: 792 },
  ...{ confirmations: 2, version: 1, network: 23, typeGroup: 1, type: 6, timestamp: 790, nonce: null },
  ...{ senderPublicKey: keyOf(1), senderId: 'D1', recipientId: 'D2', amount: 9_007_199_254_740_993n },
  ...{ fee: 1n, expiration: null, vendorField: 'rent', vendorFieldHex: '72656e74' },
  ...{ asset: { payments: [{ recipientId: 'D3', amount: 5n }] }, signature: 'cd' },
  ...{ secondSignature: null, signatures: null },
};

const ACCOUNT: Account = {
  ...{ address: 'D1', publicKey: keyOf(1), balance: 9_007_199_254_740_993n, locked: 0n, nonce: 3 },
  ...{ secondPublicKey: keyOf(2), multiSignature: { min: 1, publicKeys: [keyOf(3)] }, vote: keyOf(4) },
  delegate: null,
};

const list = { transactions: [TRANSACTION], nextCursor: 'AbC' };

const overview: OverviewView = {
  kind: 'overview',
  list: { search: '', order: DEFAULT_ORDER, offset: 0 },
  delegates: [1, 2, 3, 4, 5].map((rank) => aDelegate(rank)),
  count: 5,
  found: null,
};

const render = (view: View, fields: Partial<ServedState> = {}): string =>
  renderPage(frame, { status: aStatus(), view, now: null, hasHistory: false, ...fields });

const delegate: DelegateView = {
  kind: 'delegate',
  delegate: aDelegate(1),
  voters: [],
  offset: 0,
  hasMoreVoters: false,
  rounds: [aDelegateRound(22, 9_007_199_254_740_993n)],
};

const views: readonly (readonly [string, (name: string) => string])[] = [
  [
    'the overview',
    (name) => {
      const status = aStatus();
      const [first] = status.round.slots;
      return renderPage(frame, {
        status: {
          ...status,
          network: { ...status.network, name, symbol: name, token: name },
          delegates: [aDelegate(1, { username: name })],
          blocks: status.blocks.map((block) => ({ ...block, username: name })),
          round: { ...status.round, slots: [{ ...first!, state: 'due', username: name }] },
        },
        view: {
          kind: 'overview',
          list: { search: name, order: DEFAULT_ORDER, offset: 0 },
          delegates: [aDelegate(1, { username: name }), aDelegate(2, { username: name, isActive: false })],
          count: 2,
          found: {
            delegates: [],
            accounts: [{ ...ACCOUNT, address: name }],
            blocks: [{ ...BLOCK, id: name }],
            transactions: [{ ...TRANSACTION, id: name }],
          },
        },
        now: null,
        hasHistory: true,
      });
    },
  ],
  [
    'a delegate',
    (name) =>
      render({
        ...delegate,
        delegate: aDelegate(1, { username: name, address: name }),
        voters: [{ username: name, address: name, publicKey: keyOf(1), balance: 1n }],
        offset: 50,
        hasMoreVoters: true,
      }),
  ],
  [
    'a block',
    (name) =>
      render({
        kind: 'block',
        block: { ...BLOCK, id: name, payloadHash: name, blockSignature: name, previousBlock: name },
        forger: name,
        isUndone: false,
        list: {
          transactions: [{ ...TRANSACTION, id: name, senderId: name, recipientId: name }],
          nextCursor: name,
        },
      }),
  ],
  [
    'an account',
    (name) =>
      render({
        kind: 'account',
        account: {
          ...{ ...ACCOUNT, address: name, publicKey: name, secondPublicKey: name, vote: name },
          multiSignature: { min: 1, publicKeys: [name] },
        },
        list,
      }),
  ],
  [
    'a transaction',
    (name) =>
      render({
        kind: 'transaction',
        transaction: {
          ...{ ...TRANSACTION, id: name, senderId: name, recipientId: name, vendorField: name },
          ...{ asset: { name: { [name]: name } }, signatures: [name], secondSignature: name },
        },
        isUndone: false,
      }),
  ],
  ['an error page', (name) => renderTrouble(frame, { title: name, sentence: name, isPassing: true })],
];

describe.each(views)('in %s', (_, renderWith) => {
  it('foreign text makes neither elements nor attributes', () => {
    const page = renderWith(HOSTILE);
    expect(page).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
    expect(page).not.toContain(`<script>alert`);
    expect(page).not.toContain(`"><script>`);
  });

  it('the policy allows exactly the inline style and script', () => {
    const page = renderWith('name');
    const inlined = [...page.matchAll(/<(style|script)>([^]*?)<\/\1>/g)].map(([, , content]) => content!);
    expect(inlined).toHaveLength(2);
    for (const content of inlined) {
      const hash = createHash('sha256').update(content).digest('base64');
      expect(contentSecurityPolicy).toContain(`'sha256-${hash}'`);
    }
  });
});

describe('the page', () => {
  it('refers only to its own files', () => {
    const page = render(overview);
    expect(page).not.toMatch(/(?:src|href)="(?!\/|#)/);
    expect(page).not.toMatch(/\/\/(?!www\.w3\.org)[a-z]+\.[a-z]/);
  });

  it('shows times of day without a clock, and times ago with one', () => {
    const now = timeOf(aStatus(), 812);
    expect(render(overview)).not.toContain(' ago');
    expect(render(overview, { now })).toContain('>4 s ago<');
  });

  it('counts confirmations from the head, and shows none for an undone block', () => {
    const shown = (isUndone: boolean): string =>
      /id="confirmations">\s*(.*?)\s*</.exec(
        render({ kind: 'block', block: BLOCK, forger: null, isUndone, list }),
      )![1]!;
    expect([shown(false), shown(true)]).toEqual(['2', 'none']);
  });

  it('shows a transaction with its asset and all digits, and says if it was undone', () => {
    const shown = (isUndone: boolean) => render({ kind: 'transaction', transaction: TRANSACTION, isUndone });
    expect(shown(false)).toContain('Multi-payment');
    expect(shown(false)).toContain('<span class="exact">90,071,992.54740993</span');
    expect(shown(false)).toContain('&quot;amount&quot;: &quot;5&quot;');
    expect(shown(false)).not.toContain('id="undone"');
    expect(shown(true)).toContain('id="undone"');
  });

  it('links an account to its transactions, and to the next page of them', () => {
    const page = render({ kind: 'account', account: ACCOUNT, list });
    expect(page).toContain(`href="/?transaction=${TRANSACTION.id}"`);
    expect(page).toContain('href="/?account=D1&amp;cursor=AbC#transactions"');
    expect(render({ kind: 'account', account: ACCOUNT, list: { ...list, nextCursor: null } })).not.toContain(
      'rel="next"',
    );
  });

  it('says that no round has ended and that no delegate was found', () => {
    const list = { search: 'zzz', order: DEFAULT_ORDER, offset: 0 };
    const page = render(
      { kind: 'overview', list, delegates: [], count: 0, found: null },
      { status: aStatus({ rounds: [] }) },
    );
    expect(page).toContain('No round has ended yet.');
    expect(page).toContain('No delegate has “<bdi>zzz</bdi>” in its name.');
  });

  it('links to the pages before and after, and says which delegates it shows', () => {
    const navigation = (offset: number, shown: number, count: number): readonly string[] => {
      const list = { search: 'a b', order: { column: 'vote', direction: 'desc' } as const, offset };
      const delegates = overview.delegates.slice(0, shown);
      const page = render({ kind: 'overview', list, delegates, count, found: null });
      const [nav = ''] = /<nav class="more"[^]*?<\/nav>/.exec(page) ?? [];
      return [
        /<span>(.*?)<\/span>/.exec(nav)?.[1] ?? '',
        ...[...nav.matchAll(/href="(.*?)"/g)].map(([, to]) => to!),
      ];
    };
    const to = (rest: string): string => `/?q=a+b&amp;orderBy=vote%3Adesc${rest}#delegates`;
    expect(navigation(0, 5, 5)).toEqual(['']);
    expect(navigation(0, 5, 105)).toEqual(['1 to 5', to('&amp;offset=100')]);
    expect(navigation(100, 5, 305)).toEqual(['101 to 105', to(''), to('&amp;offset=200')]);
    expect(navigation(900, 0, 250)).toEqual(['There are no more delegates.', to('&amp;offset=150')]);
  });

  it('charts a delegate with rounds, and says nothing about them without', () => {
    const shown = (rounds: DelegateView['rounds']): string => render({ ...delegate, rounds });
    expect(shown(delegate.rounds).match(/<svg role="img"/g)).toHaveLength(2);
    expect(shown([])).not.toMatch(/role="img"|round end|history/i);
  });

  it('tells its scripts whether there is history', () => {
    expect(render(overview, { hasHistory: true })).toMatch(/<body +data-history>/);
    expect(render(overview)).not.toContain('data-history');
  });

  it('shows where ranks end', () => {
    const delegates = [aDelegate(1, { rank: null })];
    expect(render({ ...overview, delegates })).toContain('<td class="number">&gt; 5,000</td>');
  });
});
