import {
  addressOf,
  MAGISTRATE_TYPE_GROUP,
  multiSignatureKeyOf,
  sha256,
  TransactionType,
  type Ledger,
  type Transaction,
} from '@roundhouse/chain';
import type { Random } from './random.js';

type Draft = Omit<Transaction, 'id'>;

/** A public key without a known private key: enough for rules that verify no signatures. */
export const testPublicKey = (seed: number, index: number): string =>
  `02${sha256(`${seed} key ${index}`).toString('hex')}`;

/** The fields that a test chain does not vary. */
export const unvaried = {
  network: null,
  typeGroup: 1,
  recipientId: null,
  amount: 0n,
  expiration: 0,
  vendorField: null,
  asset: null,
  signature: 'ab'.repeat(64),
  secondSignature: null,
  signatures: null,
} as const;

const SECRET = 'cd'.repeat(32);
const ENTITY = { other: { type: 0, subType: 0, action: 0, data: { name: 'test' } } };
/** The curve's generator, twice it and three times it: members must be points of the curve. */
const MEMBERS = [
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
  '02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9',
];
const SHARED = [1, 2, 3].map((min) => ({ min, publicKeys: MEMBERS }));
/** The keys of the multi-signature accounts. They receive and send before and after their registration. */
const SHARED_KEYS = SHARED.map((members) => multiSignatureKeyOf(members)!);
const LEGACY = { min: 2, lifetime: 24, keysgroup: MEMBERS.map((key) => `+${key}`) };
const KEYS_AND_IPFS = [
  ...MEMBERS.map((secondPublicKey) => ({
    type: TransactionType.SecondSignature,
    asset: { secondPublicKey },
  })),
  ...SHARED.map((multiSignature) => ({ type: TransactionType.MultiSignature, asset: { multiSignature } })),
  {
    ...{ version: 1, nonce: null, timestamp: 1, type: TransactionType.MultiSignature },
    asset: { multiSignatureLegacy: LEGACY },
  },
  { type: TransactionType.Ipfs, asset: { ipfs: 'QmR45FmbVVrixReBwJkhEKde2qwHYaQzGxu4ZoDeswuF9w' } },
];

/**
 * Transactions for one block, valid on `ledger`: all types of the protocol, unvotes, switches, self-payments,
 * resignations, locks that are claimed by third parties or refunded, unknown type groups. Each account sends at
 * most one.
 */
export class RandomTraffic {
  private readonly keys: readonly string[];

  constructor(
    private readonly random: Random,
    keys: readonly string[],
    private readonly pubKeyHash: number,
  ) {
    this.keys = [...keys, ...SHARED_KEYS];
  }

  transactions(ledger: Ledger, count: number): Draft[] {
    const closed = new Set<string>();
    const senders = new Set<string>();
    const drafts: Draft[] = [];
    for (let i = 0; i < count; i += 1) {
      const sender = this.random.pick(this.keys);
      if (senders.has(sender)) continue;
      const draft = this.draft(ledger, sender, closed);
      if (draft === null) continue;
      senders.add(sender);
      drafts.push(draft);
    }
    return drafts;
  }

  private draft(ledger: Ledger, senderPublicKey: string, closed: Set<string>): Draft | null {
    const { random } = this;
    const account = ledger.accounts.get(addressOf(senderPublicKey, this.pubKeyHash));
    const balance = account?.balance ?? 0n;
    const fee = random.amount(1_000_001n);
    if (balance < 10n * fee) return null;
    const some = (): bigint => random.amount(balance / 4n);
    const someone = (): string => addressOf(random.pick(this.keys), this.pubKeyHash);
    const nonce = BigInt(1 + random.below(1_000_000));
    const vendorField = nonce % 2n === 0n ? Buffer.from(`✓ ${nonce}`).toString('hex') : null;
    const base = { ...unvaried, version: 2, timestamp: null, nonce, senderPublicKey, fee };
    const delegate = ledger.delegates.get(senderPublicKey);
    const delegates = [...ledger.delegates.keys()];
    switch (random.below(14)) {
      case 0:
        return { ...base, ...random.pick(KEYS_AND_IPFS) };
      case 1:
        if (delegate) return null;
        return {
          ...base,
          type: TransactionType.DelegateRegistration,
          asset: { username: `d_${senderPublicKey.slice(2, 12)}` },
        };
      case 2:
      case 3:
      case 4: {
        const plus = `+${random.pick(delegates)}`;
        const old = account?.vote ?? null;
        if (old === null) return { ...base, type: TransactionType.Vote, asset: { votes: [plus] } };
        return {
          ...base,
          type: TransactionType.Vote,
          asset: { votes: random.chance(0.5) ? [`-${old}`] : [`-${old}`, plus] },
        };
      }
      case 5: {
        const payments = Array.from({ length: 1 + random.below(4) }, () => ({
          recipientId: random.chance(0.2) ? account!.address : someone(),
          amount: random.amount(balance / 16n),
        }));
        return { ...base, type: TransactionType.MultiPayment, asset: { payments } };
      }
      case 6: {
        const isLast = [...ledger.delegates.values()].filter(({ isResigned }) => !isResigned).length < 10;
        if (!delegate || delegate.isResigned || isLast) return null;
        return { ...base, type: TransactionType.DelegateResignation };
      }
      case 7:
        return {
          ...base,
          type: TransactionType.HtlcLock,
          amount: some(),
          recipientId: someone(),
          asset: { lock: { secretHash: SECRET, expiration: { type: 2, value: 1_000_000 } } },
        };
      case 8:
      case 9: {
        const open = [...ledger.locks.keys()].filter((id) => !closed.has(id));
        if (open.length === 0) return null;
        const lockTransactionId = random.pick(open);
        closed.add(lockTransactionId);
        return {
          ...base,
          fee: 0n,
          ...(random.chance(0.5)
            ? { type: TransactionType.HtlcClaim, asset: { lockTransactionId, unlockSecret: SECRET } }
            : { type: TransactionType.HtlcRefund, asset: { lockTransactionId } }),
        };
      }
      case 10: {
        return random.chance(0.5)
          ? { ...base, typeGroup: MAGISTRATE_TYPE_GROUP, type: 6, asset: ENTITY }
          : { ...base, typeGroup: 1001, type: 3, amount: some(), recipientId: someone() };
      }
      default:
        return {
          ...base,
          type: TransactionType.Transfer,
          amount: some(),
          recipientId: someone(),
          vendorField,
        };
    }
  }
}
