import {
  encodeBase58,
  MAGISTRATE_TYPE_GROUP,
  sha256,
  TransactionType,
  type Payment,
  type Transaction,
} from '@roundhouse/chain';
import { MAX_PAYMENTS } from '../network/devnet-network.js';
import { contentId } from '../traffic/acts/ipfs.js';
import { ENTITY_TYPE, FOREIGN_TYPE, FOREIGN_TYPE_GROUP } from '../transactions/transaction-types.js';
import { FIXED_LIES } from './fixed-lies.js';
import { INVENTED_LIES } from './invented-lies.js';
import type { Lie, LieScene } from './lie.js';
import { endsLock, LOCK_SECRET } from './lock.js';
import { ODDITIES } from './oddities.js';

const ONE_TOKEN = 100_000_000n;
const THIRTY_YEARS_S = 946_684_800;
const BY_HEIGHT = 2;

const { Vote, DelegateRegistration, DelegateResignation, SecondSignature, HtlcLock, HtlcClaim, HtlcRefund } =
  TransactionType;
const { Ipfs, MultiPayment, MultiSignature } = TransactionType;

const one =
  (fields: Parameters<LieScene['send']>[0]) =>
  (scene: LieScene): Transaction[] => [scene.send(fields)];

const votes = (scene: LieScene, ...each: string[]): Transaction => scene.act(Vote, { votes: each });

const registers = (username: string): Lie => ({
  rule: 'username',
  transactions: (scene) => [scene.act(DelegateRegistration, { username }, { fee: 25n * ONE_TOKEN })],
});

/** A lock that ends like this. */
const locks = (scene: LieScene, type: number, value: number): Transaction[] => {
  const lock = { secretHash: LOCK_SECRET, expiration: { type, value } };
  return [scene.send({ type: HtlcLock, asset: { lock }, amount: ONE_TOKEN })];
};

const secondKey = (scene: LieScene): Transaction[] => {
  const keys = scene.ring.secondKeyOf(scene.sender.address);
  const asset = { secondPublicKey: keys.publicKey };
  const type = SecondSignature;
  return [null, keys].map((second) =>
    scene.send({ type, asset, amount: 0n, recipientId: null }, scene.sender, second),
  );
};

const payment = ({ ring }: LieScene, amount: bigint): Payment => ({
  recipientId: ring.accounts[1]!.address,
  amount,
});

/** A chosen number of payments of this amount. */
const pays = (scene: LieScene, count: number, amount = 1n): Transaction[] => [
  scene.act(MultiPayment, { payments: Array.from({ length: count }, () => payment(scene, amount)) }),
];

const magistrate = (
  scene: LieScene,
  type: number,
  other: Readonly<Record<string, unknown>>,
  fee = 50n * ONE_TOKEN,
): Transaction => scene.act(type, { other }, { typeGroup: MAGISTRATE_TYPE_GROUP, fee });

const foreign = { typeGroup: FOREIGN_TYPE_GROUP, type: FOREIGN_TYPE };

const otherNetworkAddress = ({ state }: LieScene): string => {
  const payload = Buffer.concat([Buffer.of(state.network.pubKeyHash ^ 1), Buffer.alloc(20, 7)]);
  return encodeBase58(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]));
};

/** Lies that every node refuses. */
export const LIES = {
  overspends: {
    rule: 'balance',
    transactions: (scene) => [
      scene.send({ amount: 1_000n * scene.state.accountOf(scene.sender.address).balance }),
    ],
  },
  'spends-nothing': {
    rule: 'balance',
    transactions: (scene) => [
      scene.send({ amount: 40_000_000_000n * ONE_TOKEN }, scene.ring.derive('nobody')),
    ],
  },
  'pays-too-many': {
    rule: 'balance',
    transactions: (scene) => pays(scene, 2, scene.state.accountOf(scene.sender.address).balance),
  },
  'unknown-spends-nothing': {
    rule: 'balance',
    transactions: (scene) => [scene.send({ ...foreign, amount: 0n }, scene.ring.derive('nobody'))],
  },
  'nonce-ahead': { rule: 'nonce', transactions: one({ nonce: 1_000_000n }) },
  'nonce-reused': {
    rule: 'nonce',
    transactions: (scene) => {
      const first = scene.send();
      return [first, scene.send({ nonce: first.nonce, amount: 2n })];
    },
  },
  'no-fee': { rule: 'fee', transactions: one({ fee: 0n }) },
  'unknown-fee': { rule: 'unknown-fee', transactions: one({ ...foreign, fee: 101n * ONE_TOKEN }) },
  'no-amount': { rule: 'amount', transactions: one({ amount: 0n }) },
  expired: { rule: 'expiration', transactions: (scene) => [scene.send({ expiration: scene.height })] },
  'old-version': {
    rule: 'transaction-version',
    transactions: one({ version: 1, nonce: null, timestamp: 0 }),
  },
  'twice-in-block': {
    rule: 'nonce',
    transactions: (scene) => {
      const sent = scene.send();
      return [sent, sent];
    },
  },
  'votes-for-nobody': {
    rule: 'vote',
    transactions: (scene) => [votes(scene, `+${scene.ring.derive('nobody').publicKey}`)],
  },
  'votes-again': {
    rule: 'vote',
    transactions: (scene) => {
      const [first, second] = scene.state.eligibleDelegates;
      return [votes(scene, `+${first!.publicKey}`), votes(scene, `+${second!.publicKey}`)];
    },
  },
  'unvotes-another': {
    rule: 'vote',
    transactions: (scene) => {
      const [first, second] = scene.state.eligibleDelegates;
      return [votes(scene, `+${first!.publicKey}`), votes(scene, `-${second!.publicKey}`)];
    },
  },
  'votes-for-resigned': {
    rule: 'vote',
    transactions: (scene) => [
      scene.act(DelegateRegistration, { username: 'short_lived' }),
      scene.act(DelegateResignation, null),
      votes(scene, `+${scene.sender.publicKey}`),
    ],
  },
  'three-votes': {
    rule: 'vote',
    transactions: (scene) => [votes(scene, ...['+', '-', '+'].map((sign) => sign + scene.delegate))],
  },
  'second-key-again': { rule: 'second-key', transactions: secondKey },
  'resigns-again': {
    rule: 'resignation',
    transactions: (scene) => {
      const register = scene.act(DelegateRegistration, { username: 'short_lived' });
      return [register, scene.act(DelegateResignation, null), scene.act(DelegateResignation, null)];
    },
  },
  'resigns-too-many': { rule: 'resignation', transactions: (scene) => scene.resignations() },
  'username-capitals': registers('Capitals'),
  'username-slash': registers('a/b'),
  'username-long': registers('a'.repeat(21)),
  'wrong-secret': {
    rule: 'claim',
    transactions: (scene) =>
      endsLock(scene, { type: HtlcClaim, unlockSecret: sha256('another').toString('hex') }),
  },
  'late-claim': { rule: 'claim', transactions: (scene) => [scene.lateClaim()] },
  'paid-claim': {
    rule: 'fee',
    transactions: (scene) => endsLock(scene, { type: HtlcClaim, unlockSecret: LOCK_SECRET, fee: 1n }),
  },
  'ended-lock': {
    rule: 'lock',
    transactions: (scene) => locks(scene, BY_HEIGHT, scene.height - 1),
  },
  'lock-without-end': { rule: 'lock', transactions: (scene) => locks(scene, 3, scene.height + 1_000) },
  'one-payment': {
    rule: 'payments',
    transactions: (scene) => pays(scene, 1),
  },
  'too-many-payments': { rule: 'payments', transactions: (scene) => pays(scene, MAX_PAYMENTS + 1) },
  'empty-payments': { rule: 'payments', transactions: (scene) => pays(scene, 2, 0n) },
  'unsigned-members': {
    rule: 'members',
    transactions: (scene) => {
      const publicKeys = ['a member', 'another'].map((name) => scene.ring.derive(name).publicKey);
      return [scene.act(MultiSignature, { multiSignature: { min: 1, publicKeys } })];
    },
  },
  'file-again': {
    rule: 'ipfs',
    transactions: (scene) => [1, 2].map(() => scene.act(Ipfs, { ipfs: contentId('a file') })),
  },
  'ended-business': {
    rule: 'business',
    transactions: (scene) => [magistrate(scene, 0, { businessRegistration: { name: 'a', website: 'b' } })],
  },
  'ended-bridgechain': {
    rule: 'bridgechain',
    transactions: (scene) => [
      magistrate(scene, 4, { bridgechainResignation: { bridgechainId: LOCK_SECRET } }),
    ],
  },
  'unknown-entity': {
    rule: 'entity',
    transactions: (scene) => [
      magistrate(scene, ENTITY_TYPE, {
        type: 0,
        subType: 0,
        action: 2,
        registrationId: LOCK_SECRET,
        data: {},
      }),
    ],
  },
  'delegate-entity': {
    rule: 'entity',
    transactions: (scene) => [
      magistrate(scene, ENTITY_TYPE, { type: 4, subType: 0, action: 0, data: { name: 'no_delegate' } }),
    ],
  },
  'early-refund': { rule: 'refund', transactions: (scene) => endsLock(scene, { type: HtlcRefund }) },
  'too-many': {
    rule: 'transaction-count',
    transactions: (scene) => Array.from({ length: 151 }, () => scene.send()),
  },
  'block-version': { rule: 'block-version', header: () => ({ version: 7 }) },
  'before-the-head': {
    rule: 'slot-order',
    header: ({ state }) => ({ timestamp: state.timeOf(state.slot - 1) }),
  },
  'same-slot': { rule: 'slot-order', header: ({ state }) => ({ timestamp: state.timeOf(state.slot) }) },
  'far-ahead': {
    rule: 'future-block',
    header: ({ state, block }) => ({
      timestamp: state.timeOf(state.slotOf({ ...block, timestamp: block.timestamp + THIRTY_YEARS_S })),
    }),
  },
} as const satisfies Readonly<Record<string, Lie>>;

/** Lies that Core accepts in blocks. */
export const ACCEPTED_LIES = {
  'payload-length': { rule: 'payload-length', header: () => ({ payloadLength: 1 }) },
  'mid-slot': {
    rule: 'slot-start',
    header: ({ block }) => ({ timestamp: block.timestamp + 1 }),
  },
  'short-lock': { rule: 'lock', transactions: (scene) => locks(scene, BY_HEIGHT, scene.height + 1) },
  'free-entity': {
    rule: 'fee',
    transactions: (scene) => {
      const asset = { type: 0, subType: 0, action: 0, data: { name: 'for_nothing' } };
      return [magistrate(scene, ENTITY_TYPE, asset, 0n)];
    },
  },
  'other-network': {
    rule: 'recipient-network',
    transactions: (scene) => [scene.send({ recipientId: otherNetworkAddress(scene) })],
  },
} as const satisfies Readonly<Record<string, Lie>>;

export const ALL_LIES = { ...LIES, ...FIXED_LIES, ...ACCEPTED_LIES, ...INVENTED_LIES, ...ODDITIES };

export type AnyLieName = keyof typeof ALL_LIES;
export type LieName = keyof typeof LIES;
export type InventedLieName = keyof typeof INVENTED_LIES;
export type AcceptedLieName = keyof typeof ACCEPTED_LIES;

export const isLie = (name: string): name is AnyLieName => Object.hasOwn(ALL_LIES, name);

/** Whether an index takes the block of this lie from a node's API. */
export const isAcceptedLie = (name: AnyLieName): boolean =>
  [ACCEPTED_LIES, INVENTED_LIES, ODDITIES].some((accepted) => Object.hasOwn(accepted, name));
