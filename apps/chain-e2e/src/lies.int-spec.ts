import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RULE_NAMES, Rules, type Block, type RuleName, type Transaction } from '@roundhouse/chain';
import { verifyIndex, type VerifyOptions } from '@roundhouse/storage';
import {
  ACCEPTED_LIES,
  copyTestDatabase,
  createIndexerDatabase,
  FIXED_LIES,
  INVENTED_LIES,
  LIES,
  makeBlocks,
  makerOf,
  ODDITIES,
  SMALL,
  TIMING,
  type AcceptedLieName,
  type AnyLieName,
  type InventedLieName,
  type LieName,
  type TestDatabase,
} from '@roundhouse/testing';
import pg from 'pg';
import { indexOnce } from './lies/index-once.js';
import { LYING_SOURCES, type LyingSource, type LyingSourceKind } from './lies/lying-sources.js';

interface Told {
  readonly rule: RuleName;
  /** What the refusal says of the block. */
  readonly says: string;
  /** False if no table can hold such a block. (Default: true) */
  readonly isHeld?: false;
}

const HAS_ONLY = 'has only';

/** Every lie needs its line here. */
const TOLD: Readonly<Record<LieName, Told>> = {
  overspends: { rule: 'balance', says: HAS_ONLY },
  'spends-nothing': { rule: 'balance', says: `${HAS_ONLY} 0` },
  'pays-too-many': { rule: 'balance', says: HAS_ONLY },
  'unknown-spends-nothing': { rule: 'balance', says: `${HAS_ONLY} 0` },
  'nonce-ahead': { rule: 'nonce', says: 'has nonce 1000000' },
  'nonce-reused': { rule: 'nonce', says: 'is next' },
  'no-fee': { rule: 'fee', says: 'costs no fee' },
  'unknown-fee': { rule: 'unknown-fee', says: 'MAX_UNKNOWN_FEE is 10000000000' },
  'no-amount': { rule: 'amount', says: 'moves an amount of 0' },
  expired: { rule: 'expiration', says: 'has expired at height' },
  'old-version': { rule: 'transaction-version', says: 'has version 1' },
  'twice-in-block': { rule: 'nonce', says: 'is next', isHeld: false },
  'votes-for-nobody': { rule: 'vote', says: 'is not a delegate' },
  'votes-again': { rule: 'vote', says: 'but its sender votes for' },
  'unvotes-another': { rule: 'vote', says: 'takes a vote from' },
  'votes-for-resigned': { rule: 'vote', says: 'votes for short_lived, which has resigned' },
  'three-votes': { rule: 'vote', says: 'has 3 votes' },
  'second-key-again': { rule: 'second-key', says: 'its sender has one' },
  'resigns-again': { rule: 'resignation', says: 'which has resigned before' },
  'resigns-too-many': { rule: 'resignation', says: 'must remain' },
  'username-capitals': { rule: 'username', says: 'registers "Capitals"' },
  'username-slash': { rule: 'username', says: 'registers "a/b"' },
  'username-long': { rule: 'username', says: `registers "${'a'.repeat(21)}"` },
  'wrong-secret': { rule: 'claim', says: 'with a wrong secret' },
  'late-claim': { rule: 'claim', says: 'which has expired' },
  'paid-claim': { rule: 'fee', says: 'its type is free' },
  'ended-lock': { rule: 'lock', says: 'has expired before it begins' },
  'lock-without-end': { rule: 'lock', says: 'of type 3, which is none' },
  'one-payment': { rule: 'payments', says: 'has 1 payments' },
  'too-many-payments': { rule: 'payments', says: 'are allowed' },
  'empty-payments': { rule: 'payments', says: 'has a payment of 0' },
  'unsigned-members': { rule: 'members', says: 'has signatures of 0 of 2 members' },
  'file-again': { rule: 'ipfs', says: 'which its sender has registered' },
  'ended-business': { rule: 'business', says: 'that AIP 36 has ended' },
  'ended-bridgechain': { rule: 'bridgechain', says: 'that AIP 36 has ended' },
  'unknown-entity': { rule: 'entity', says: 'that its sender has not registered' },
  'delegate-entity': { rule: 'entity', says: 'but its sender is no delegate' },
  'early-refund': { rule: 'refund', says: 'has not expired' },
  'too-many': { rule: 'transaction-count', says: 'has 151 transactions' },
  'block-version': { rule: 'block-version', says: 'its version is 7' },
  'before-the-head': { rule: 'slot-order', says: 'not in a slot after' },
  'same-slot': { rule: 'slot-order', says: 'not in a slot after' },
  'far-ahead': { rule: 'future-block', says: 'by the clock of this machine' },
};

/** What sources or the ledger refuse, and no setting accepts. */
const FIXED: Readonly<Record<keyof typeof FIXED_LIES, string>> = {
  unsigned: 'signature',
  'members-disagree': 'signatures of 1 of the members that it registers, but 2 must sign',
  'registers-again': 'registers again',
  'username-taken': 'is already taken',
  'resigns-nobody': 'is not a delegate',
  'claims-again': 'is not open',
};

const ACCEPTED: Readonly<Record<AcceptedLieName, RuleName>> = {
  'payload-length': 'payload-length',
  'mid-slot': 'slot-start',
  'short-lock': 'lock',
  'free-entity': 'fee',
  'other-network': 'recipient-network',
};

/** What is wrong with their bytes, which only a node's database has. */
const INVENTED: Readonly<Record<InventedLieName, string>> = {
  'core-type': 'gives the id',
  'other-group': 'gives the id',
  'unsigned-type': 'no signature by its sender',
};

const HEIGHT = 40;
const NEXT = HEIGHT + 1;

const maker = makerOf(SMALL);
const state = maker.emptyState(TIMING);
const blocks: readonly Block[] = [...makeBlocks(maker, state, HEIGHT)];
const lawful = maker.forge.forgeNext(state);
const told = (lie: AnyLieName): Block => maker.forge.lying(state, lawful, lie);
/** The state after one more block, which may break a rule. */
const after = (block: Block): typeof state => {
  const above = maker.emptyState(TIMING);
  Object.assign(above, { rules: new Rules({ lenient: new Set(RULE_NAMES) }) });
  for (const each of [...blocks, block]) above.apply(each);
  return above;
};
const open = (kind: LyingSourceKind): Promise<LyingSource> =>
  LYING_SOURCES[kind](blocks, { ...maker.network(TIMING) });

/** An index of the blocks that nobody is connected to. */
let template: TestDatabase;

beforeAll(async () => {
  template = await createIndexerDatabase();
  const database = await open("a node's database");
  expect(await indexOnce(template.url, HEIGHT, database.settings)).toMatchObject({
    head: HEIGHT,
    refused: null,
  });
  await database.close();
});

afterAll(() => template.drop());

const onCopy = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const copy = await copyTestDatabase(template);
  return work(copy.url).finally(() => copy.drop());
};

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
};

const query = (url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  connected(url, async (client) => (await client.query<Record<string, unknown>>(sql, values)).rows);

it('all lies are told here', () => {
  expect(Object.keys(TOLD)).toEqual(Object.keys(LIES));
  expect(Object.keys(FIXED)).toEqual(Object.keys(FIXED_LIES));
  expect(Object.keys(ACCEPTED)).toEqual(Object.keys(ACCEPTED_LIES));
  expect(Object.keys(INVENTED)).toEqual(Object.keys(INVENTED_LIES));
});

describe.each(Object.keys(LYING_SOURCES) as LyingSourceKind[])('an index of %s', (kind) => {
  let source: LyingSource;
  /** No refused block changes it, but for what is known of the block. */
  let copy: TestDatabase;
  beforeAll(async () => ([source, copy] = await Promise.all([open(kind), copyTestDatabase(template)])));
  afterAll(() => Promise.all([source.close(), copy.drop()]));

  const refusalOf = async (lie: AnyLieName): Promise<string> => {
    await source.show(told(lie));
    await query(copy.url, 'TRUNCATE refused_blocks, staged_ranges');
    const { head, refused } = await indexOnce(copy.url, NEXT, source.settings);
    expect(head).toBe(HEIGHT);
    expect(refused).toMatchObject({ height: NEXT, source: source.name });
    return refused!.reason!;
  };

  it.each(Object.entries(TOLD) as [LieName, Told][])(
    'refuses %s by default, and names height, rule, source and setting',
    async (lie, { rule, says }) => {
      const reason = await refusalOf(lie);
      expect(reason).toContain(`Block ${NEXT} cannot be applied: `);
      expect(reason).toContain(says);
      expect(reason).toContain(`(rule "${rule}"; LENIENT_RULES=${rule} accepts it)`);
    },
  );

  it.each(Object.entries(FIXED) as [keyof typeof FIXED, string][])(
    'refuses %s, and names height and source: %s',
    async (lie, says) => {
      expect(await refusalOf(lie)).toContain(says);
    },
  );

  it('refuses a transaction of a block below, which has no nonce', async () => {
    const below = told('old-version');
    // The same accounts and amounts make the same transaction.
    const again = maker.forge.lying(after(below), maker.forge.forgeNext(after(below)), 'old-version');
    expect(again.transactions).toEqual(below.transactions);
    const replaying = await LYING_SOURCES[kind]([...blocks, below], { ...maker.network(TIMING) });
    await replaying.show(again);
    const settings = { ...replaying.settings, LENIENT_RULES: 'transaction-version' };
    const { head, refused } = await onCopy((url) => indexOnce(url, NEXT + 1, settings));
    await replaying.close();
    expect(head).toBe(NEXT);
    expect(refused).toMatchObject({ height: NEXT + 1, source: replaying.name });
    expect(refused!.reason).toContain('(rule "transaction-twice"; no setting accepts it)');
  });

  it.each(Object.entries(ACCEPTED) as [AcceptedLieName, RuleName][])(
    'accepts %s by default, as Core does, with a warning of %s',
    async (lie, rule) => {
      await source.show(told(lie));
      const { head, warnings } = await onCopy((url) => indexOnce(url, NEXT, source.settings));
      expect(head).toBe(NEXT);
      expect(warnings).toContainEqual(expect.objectContaining({ rule, height: NEXT }));
    },
  );

  it.each(Object.keys(ODDITIES) as (keyof typeof ODDITIES)[])(
    'accepts %s without a warning, as Core does, and finds nothing wrong with it later',
    async (oddity) => {
      await source.show(told(oddity));
      await onCopy(async (url) => {
        const { head, warnings } = await indexOnce(url, NEXT, source.settings);
        expect([head, warnings.filter(({ rule }) => rule !== undefined)]).toEqual([NEXT, []]);
        const report = await connected(url, (client) =>
          verifyIndex(client, { listed: 3, verifiesSignatures: true }),
        );
        expect(report).toMatchObject({ badBlocks: [], tables: [] });
      });
    },
  );
});

describe('an invented transaction of an unknown type', () => {
  const names = Object.keys(INVENTED) as InventedLieName[];
  const balanceAt = async (url: string, address: string): Promise<unknown> =>
    (await query(url, 'SELECT balance::text FROM accounts WHERE address = $1', [address]))[0]!['balance'];

  it.each(
    (["a node's API", 'an archive'] as const).flatMap((kind) => names.map((name) => [kind, name] as const)),
  )('from %s moves nothing but its fee: %s', async (kind, name) => {
    const source = await open(kind);
    const head = told(name);
    const [{ senderPublicKey, amount, fee }] = head.transactions as [Transaction];
    const sender = state.addressOf(senderPublicKey);
    const before = state.accountOf(sender).balance;
    expect(amount + fee).toBe(before);
    await source.show(head);
    await onCopy(async (url) => {
      expect((await indexOnce(url, NEXT, source.settings)).head).toBe(NEXT);
      expect(await balanceAt(url, sender)).toBe(`${before - fee}`);
    });
    await source.close();
  });

  it.each(Object.entries(INVENTED))("from a node's database is refused: %s", async (name, says) => {
    const source = await open("a node's database");
    await source.show(told(name as InventedLieName));
    const { head, refused } = await onCopy((url) => indexOnce(url, NEXT, source.settings));
    expect(head).toBe(HEIGHT);
    expect(refused).toMatchObject({ height: NEXT, source: source.name });
    expect(refused!.reason).toContain(says);
    await source.close();
  });
});

describe('an index that has accepted what LENIENT_RULES names', () => {
  let source: LyingSource;
  beforeAll(async () => (source = await open('an archive')));
  afterAll(() => source.close());

  const badBlocks = (url: string, options: Pick<VerifyOptions, 'rules' | 'verifiesSignatures'>) =>
    connected(url, async (client) => (await verifyIndex(client, { listed: 3, ...options })).badBlocks);

  const held = (Object.entries(TOLD) as [LieName, Told][]).filter(([, { isHeld = true }]) => isHeld);
  const oneOfEachRule = [...new Map(held.map((each) => [each[1].rule, each])).values()];

  it.each(oneOfEachRule)('is found by verify after %s', async (lie, { rule, says }) => {
    await source.show(told(lie));
    await onCopy(async (url) => {
      const lenient = { ...source.settings, LENIENT_RULES: rule };
      const { head, warnings } = await indexOnce(url, NEXT, lenient);
      expect(head).toBe(NEXT);
      expect(warnings).toContainEqual(expect.objectContaining({ rule, height: NEXT }));
      const now = (): number => Date.now();
      expect(await badBlocks(url, { rules: new Rules({ now }) })).toEqual([
        { height: NEXT, problem: expect.stringContaining(says) },
      ]);
      expect(await badBlocks(url, { rules: new Rules({ now, lenient: new Set([rule]) }) })).toEqual([]);
    });
  });

  it('is found by verify after an unsigned transaction that VERIFY=hash let pass', async () => {
    await source.show(told('unsigned'));
    await onCopy(async (url) => {
      expect((await indexOnce(url, NEXT, { ...source.settings, VERIFY: 'hash' })).head).toBe(NEXT);
      expect(await badBlocks(url, { verifiesSignatures: false })).toEqual([]);
      expect(await badBlocks(url, { verifiesSignatures: true })).toEqual([
        { height: NEXT, problem: expect.stringContaining(FIXED.unsigned) },
      ]);
    });
  });
});
