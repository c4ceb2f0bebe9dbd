import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { assertLinked, checkBlock, headerBytes } from '@roundhouse/blocks';
import { MilestoneSchedule, parseNetwork, type BlockRef, type Transaction } from '@roundhouse/chain';
import { makeChain, TIMING, type MadeChain } from '@roundhouse/testing';
import { distribution } from '../genesis/distribution.js';
import { keyPairOf } from '../keys/key-pair.js';
import { PUB_KEY_HASH } from '../network/devnet-network.js';
import { chainMaker, DEFAULT_OPTIONS } from './make-chain.js';

const HEIGHT = 330;

/** Verifies with OpenSSL, which shares no code with the signer. */
const isSigned = (hash: Buffer, signature: string, publicKey: string): boolean => {
  const { x, y } = secp256k1.Point.fromHex(publicKey).toAffine();
  const base64url = (value: bigint): string =>
    Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url');
  const key = createPublicKey({
    key: { kty: 'EC', crv: 'secp256k1', x: base64url(x), y: base64url(y) },
    format: 'jwk',
  });
  return verify('sha256', hash, key, Buffer.from(signature, 'hex'));
};

describe("the default seed's chain", () => {
  let chain: MadeChain;

  beforeAll(() => {
    chain = makeChain({ ...DEFAULT_OPTIONS, seed: 'roundhouse' }, HEIGHT);
  });

  const sent = (): Transaction[] => chain.blocks.flatMap(({ transactions }) => transactions);
  const votes = (): (readonly string[])[] =>
    sent().flatMap(({ asset }) => (asset?.votes ? [asset.votes] : []));

  it('is the same on every machine and on every day', () => {
    expect(chain.blocks[0]!.id).toBe('2336176120510057175');
    expect(chain.blocks.at(-1)!.id).toBe('17114913572677937402');
  });

  it('passes every check of ids, payload hashes, totals and links', () => {
    const network = parseNetwork(chain.network);
    const milestones = new MilestoneSchedule(network.milestones);
    let previous: BlockRef | null = null;
    for (const block of chain.blocks) {
      assertLinked(block, previous);
      expect(checkBlock(block, { ...network, constants: milestones.at(block.height) })).toBe(block);
      previous = block;
    }
  });

  it('has block signatures that OpenSSL accepts', () => {
    for (const block of chain.blocks) {
      expect(isSigned(headerBytes(block), block.blockSignature, block.generatorPublicKey)).toBe(true);
    }
    const [first, second] = chain.blocks;
    expect(isSigned(headerBytes(first!), second!.blockSignature, second!.generatorPublicKey)).toBe(false);
  });

  it('begins with 51 delegates and some hundred voters', () => {
    const { transactions } = chain.blocks[0]!;
    expect(transactions.filter(({ type }) => type === 2)).toHaveLength(51);
    expect(transactions.filter(({ type }) => type === 3).length).toBeGreaterThan(250);
  });

  it('contains every type of transaction, and an unknown type group', () => {
    const expected = [...Array.from({ length: 11 }, (_, type) => `1/${type}`), '2/6', '1001/7'];
    const kinds = new Set(sent().map(({ typeGroup, type }) => `${typeGroup}/${type}`));
    expect([...kinds].sort()).toEqual(expected.sort());
  });

  it('contains votes, unvotes, switched votes, and votes given to the same delegate again', () => {
    const kinds = votes().map(([first, then]) => {
      if (then === undefined) return first!.slice(0, 1);
      return first!.slice(1) === then.slice(1) ? 'again' : 'switched';
    });
    expect(new Set(kinds)).toEqual(new Set(['+', '-', 'switched', 'again']));
  });

  it('contains multi-payments to the sender itself and to repeated recipients', () => {
    const payments = sent().flatMap(({ asset, senderPublicKey }) =>
      asset?.payments
        ? [{ sender: chain.state.addressOf(senderPublicKey), to: asset.payments.map((p) => p.recipientId) }]
        : [],
    );
    expect(payments.some(({ sender, to }) => to.includes(sender))).toBe(true);
    expect(payments.some(({ to }) => new Set(to).size < to.length)).toBe(true);
  });

  it('contains claims by recipients and by third parties, and refunds', () => {
    const recipients = new Map(sent().map(({ id, recipientId }) => [id, recipientId]));
    const claims = sent().filter(({ asset }) => asset?.unlockSecret !== undefined);
    const areByRecipients = claims.map(
      ({ asset, senderPublicKey }) =>
        chain.state.addressOf(senderPublicKey) === recipients.get(asset!.lockTransactionId!),
    );
    expect(new Set(areByRecipients)).toEqual(new Set([true, false]));
    expect(sent().filter(({ typeGroup, type }) => typeGroup === 1 && type === 10).length).toBeGreaterThan(2);
  });

  it('has multi-signature accounts that hold, vote and send', () => {
    const shared = [...chain.state.multiSignatures.keys()].map((address) => chain.state.accountOf(address));
    expect(shared.some(({ balance, vote }) => balance > 0n && vote !== null)).toBe(true);
    expect(sent().some(({ type, signature }) => type === 0 && signature === null)).toBe(true);
  });

  it('has accounts with a second signature that use it', () => {
    expect(sent().some(({ secondSignature }) => secondSignature !== null)).toBe(true);
  });

  it('lets delegates resign, and always keeps more than 51', () => {
    const delegates = [...chain.state.ledger.delegates.values()];
    expect(delegates.filter(({ isResigned }) => isResigned).length).toBeGreaterThan(1);
    expect(delegates.filter(({ isResigned }) => !isResigned).length).toBeGreaterThan(51);
  });

  it('has delegates that miss slots, and newcomers that forge', () => {
    const delegates = [...chain.state.ledger.delegates.values()];
    expect(chain.state.slot).toBeGreaterThan(HEIGHT);
    expect(delegates.filter(({ missedBlocks }) => missedBlocks > 0).length).toBeGreaterThan(3);
    const newcomers = delegates.filter(({ registeredHeight }) => registeredHeight > 1);
    expect(newcomers.some(({ producedBlocks }) => producedBlocks > 0)).toBe(true);
  });

  it('leaves only the genesis sender below zero', () => {
    const { transactions } = chain.blocks[0]!;
    const negative = [...chain.state.ledger.accounts.values()].filter(({ balance }) => balance < 0n);
    expect(negative.map(({ publicKey }) => publicKey)).toEqual([transactions[0]!.senderPublicKey]);
  });

  it('has balances that a floating-point number cannot hold', () => {
    const balances = [...chain.state.ledger.accounts.values()].map(({ balance }) => balance);
    expect(balances.some((balance) => balance > 2n ** 53n && BigInt(Number(balance)) !== balance)).toBe(true);
  });

  it('creates only rewards: balances and locked amounts add up to them', () => {
    const accounts = [...chain.state.ledger.accounts.values()];
    const held = accounts.reduce((sum, { balance, locked }) => sum + balance + locked, 0n);
    const rewards = chain.blocks.reduce((sum, { reward }) => sum + reward, 0n);
    expect(rewards).toBeGreaterThan(0n);
    expect(held).toBe(rewards);
  });
});

describe('makeBlocks', () => {
  it('differs for another seed', () => {
    const ids = ['a', 'b'].map((seed) => makeChain({ seed }, 3).blocks.at(-1)!.id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('keeps the ids if the epoch differs', () => {
    const maker = chainMaker({ ...DEFAULT_OPTIONS, seed: 'epoch', accounts: 60 });
    const ids = ['2017-03-21T13:00:00.000Z', TIMING.epoch].map((epoch) => {
      const state = maker.emptyState({ epoch, blockTime: 2 });
      state.apply(maker.genesis);
      return maker.forge.forgeNext(state).id;
    });
    expect(ids[0]).toBe(ids[1]);
  });

  it('misses no slot if the miss rate is 0', () => {
    expect(makeChain({ missRate: 0 }, 120).state.slot).toBe(119);
  });

  it('gives one delegate all new votes if its popularity is 1', () => {
    const chain = makeChain({ popularity: 1, hasSignatures: false, transactionsPerBlock: 6 }, 150);
    const popular = [...chain.state.ledger.delegates.keys()][0];
    const votes = chain.blocks
      .slice(1)
      .flatMap(({ transactions }) => transactions.flatMap(({ asset }) => asset?.votes ?? []));
    // A repeated vote goes to the delegate that the account already votes for.
    const chosen = votes.filter(
      (vote, index) => vote.startsWith('+') && votes[index - 1] !== `-${vote.slice(1)}`,
    );
    expect(chosen.length).toBeGreaterThan(5);
    expect(new Set(chosen)).toEqual(new Set([`+${popular}`]));
  });

  it("funds 15,000 accounts in the genesis block, whose transactions a node's tables can number", () => {
    const keys = keyPairOf('any', PUB_KEY_HASH);
    const accounts = Array.from({ length: 15_001 }, () => keys);
    expect(distribution({ seed: 'many', genesisDelegates: [keys], accounts }, false)).toHaveLength(
      1 + 15_000,
    );
  });

  it('has real ids and hashes with placeholder signatures', () => {
    const chain = makeChain({ hasSignatures: false }, 60);
    const network = parseNetwork(chain.network);
    const milestones = new MilestoneSchedule(network.milestones);
    for (const block of chain.blocks) {
      expect(checkBlock(block, { ...network, constants: milestones.at(block.height) })).toBe(block);
      expect(block.blockSignature).toMatch(/^30440220[0-9a-f]{64}0220[0-9a-f]{64}$/);
    }
  });
});
