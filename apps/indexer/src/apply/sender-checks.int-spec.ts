import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { senderCheck } from '@roundhouse/blocks';
import { Ledger, parseNetwork, type Account, type Block, type Transaction } from '@roundhouse/chain';
import { createBlockSource } from '@roundhouse/source';
import { recordingFile } from '@roundhouse/testing';
import { ApplyHarness } from './apply.harness.js';

const network = parseNetwork(JSON.parse(readFileSync(recordingFile('core-3.9', 'network.json'), 'utf8')));
const source = await createBlockSource({
  urls: `file:${recordingFile('core-3.9', 'chain.ndjson.gz')}`,
  network,
});
const blocks = await source.blocks(1, 322);

const last = <T>(values: readonly T[]): T => values.at(-1)!;

const sent = blocks.flatMap(({ height, transactions }) =>
  transactions.map((transaction, place) => ({ height, place, transaction })),
);
const second = last(sent.filter(({ transaction }) => transaction.secondSignature !== null));
const shared = last(
  sent.filter(({ transaction }) => transaction.signatures !== null && transaction.signature === null),
);
const plain = last(
  sent.filter(({ transaction }) => transaction.signature !== null && transaction.secondSignature === null),
);

/** The chain with one transaction changed. The ids stay: only the sources check them. */
const changed = ({ height, place }: typeof second, change: Partial<Transaction>): Block[] =>
  blocks.map((block) =>
    block.height === height
      ? {
          ...block,
          transactions: block.transactions.map((transaction, at) =>
            at === place ? { ...transaction, ...change } : transaction,
          ),
        }
      : block,
  );

const flipped = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;

describe('signatures under keys of the senders’ accounts', () => {
  let index: ApplyHarness;
  afterEach(() => index.close());

  const create = async (isVerified: boolean, options: { batchBlocks?: number } = {}): Promise<void> => {
    index = await ApplyHarness.create(network, { ...options, verifiesSignatures: isVerified });
  };

  it.each([7, 1_000])('of a recorded chain are right, in batches of %i blocks', async (batchBlocks) => {
    await create(true, { batchBlocks });
    expect(await index.index(blocks)).toMatchObject({ kind: 'applied', head: { height: 322 } });
  });

  it.each(['core-2.4', 'core-2.4-full', 'core-3.9-full'] as const)(
    'of the chain %s are right',
    async (name) => {
      const file = (of: string): string => recordingFile(name, of);
      const own = parseNetwork(JSON.parse(readFileSync(file('network.json'), 'utf8')));
      const recorded = await createBlockSource({ urls: `file:${file('chain.ndjson.gz')}`, network: own });
      const all = await recorded.blocks(1, 1_000);
      await recorded.close();
      index = await ApplyHarness.create(own, { batchBlocks: 1_000, verifiesSignatures: true });
      expect(await index.index(all)).toMatchObject({ kind: 'applied', head: { height: all.length } });
    },
  );

  it.each([
    ['a wrong second signature', second, { secondSignature: flipped(second.transaction.secondSignature!) }],
    ['no signature', plain, { signature: null }],
    ['no second signature', second, { secondSignature: null }],
    ['an unexpected second signature', plain, { secondSignature: 'ab'.repeat(64) }],
    ['unexpected members', plain, { signatures: shared.transaction.signatures }],
    ['a wrong member', shared, { signatures: shared.transaction.signatures!.map(flipped) }],
    ['too few members', shared, { signatures: shared.transaction.signatures!.slice(0, 1) }],
    ['no members', shared, { signatures: null }],
  ] as const)('%s: the block is refused, and those below it are applied', async (_, at, change) => {
    await create(true, { batchBlocks: 1_000 });
    const { height, transaction } = at;
    expect(await index.index(changed(at, change))).toMatchObject({
      kind: 'refused',
      block: { height },
      reason: expect.stringContaining(transaction.id),
    });
    expect(await index.count('blocks')).toBe(height - 1);
    expect(await index.index(blocks)).toMatchObject({ kind: 'applied' });
    expect(await index.count('blocks')).toBe(322);
  });

  it('are not verified without VERIFY=full', async () => {
    await create(false);
    expect(await index.index(changed(second, { secondSignature: null }))).toMatchObject({ kind: 'applied' });
  });
});

describe('second signatures of accounts without a key for them', () => {
  const keyless = { publicKey: null, secondPublicKey: null, multiSignature: null } as unknown as Account;

  it.each([
    ['devnet', true, true],
    ['devnet', false, false],
    ['testnet', true, false],
  ])('on %s, while its milestone says %s: valid is %s', (name, isIgnored, isValid) => {
    const milestones = [{ ...network.milestones[0]!, ignoreInvalidSecondSignatureField: isIgnored }];
    const check = senderCheck(Ledger.empty({ ...network, name, milestones }), 2);
    const act = (): void => check({ ...plain.transaction, secondSignature: 'ab'.repeat(64) }, keyless);
    if (isValid) expect(act).not.toThrow();
    else
      expect(act).toThrow(
        `transaction ${plain.transaction.id} has a second signature, but its sender has no key`,
      );
  });
});
