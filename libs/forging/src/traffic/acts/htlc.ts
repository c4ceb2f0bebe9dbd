import { sha256, TransactionType } from '@roundhouse/chain';
import type { LockFacts } from '../../chain/chain-state.js';
import type { Intent } from '../intent.js';
import { candidates, feeOf, pickSender, shareOf, type Act, type Scene } from '../scene.js';

const TOKEN = 100_000_000n;
const BY_TIME = 0.25;
const THIRD_PARTY_REFUNDS = 0.2;

/**
 * The secret of the lock that this account makes with this nonce. It follows from the seed, so the devnet can claim
 * every lock.
 */
export const secretOf = (seed: string, senderPublicKey: string, nonce: bigint): Buffer =>
  sha256(`${seed} secret ${senderPublicKey} ${nonce}`);

export const lock: Act = (scene) => {
  const { random, ring, state, draft, height } = scene;
  const sender = pickSender(scene, 1_000n * TOKEN);
  const head = state.ledger.head;
  if (!sender || head === null) return null;
  const blocks = random.between(6, 24);
  const isByTime = random.chance(BY_TIME);
  const { blocktime } = state.ledger.milestones.at(height);
  const expiration = isByTime
    ? { type: 1, value: head.timestamp + blocks * blocktime }
    : { type: 2, value: height + blocks };
  const nonce = draft.nextNonceOf(sender.address);
  const secretHash = sha256(secretOf(ring.seed, sender.publicKey, nonce)).toString('hex');
  return {
    sender: sender.address,
    type: TransactionType.HtlcLock,
    fee: feeOf('htlcLock'),
    amount: random.amount(TOKEN, shareOf(scene, sender.address, 20n)),
    recipientId: random.pick(ring.accounts).address,
    asset: { lock: { secretHash, expiration } },
  };
};

const pickLock = (
  { random, state, draft }: Scene,
  wish: (facts: LockFacts) => boolean,
): { id: string; facts: LockFacts } | null => {
  const found = candidates(state.locks, ([id, facts]) => draft.isOpen(id) && wish(facts));
  if (found.length === 0) return null;
  const [id, facts] = random.pick(found);
  return { id, facts };
};

const claimBy = (scene: Scene, senderOf: (recipient: string) => string | null): Intent | null => {
  const { ring, state } = scene;
  const secret = ({ senderPublicKey, nonce }: LockFacts): Buffer =>
    secretOf(ring.seed, senderPublicKey, nonce);
  const open = pickLock(
    scene,
    (facts) =>
      !state.isExpired(facts.expiration) && sha256(secret(facts)).toString('hex') === facts.secretHash,
  );
  const sender = open && senderOf(state.ledger.locks.get(open.id)!.recipientAddress);
  if (!open || !sender) return null;
  const asset = { lockTransactionId: open.id, unlockSecret: secret(open.facts).toString('hex') };
  return { sender, type: TransactionType.HtlcClaim, fee: feeOf('htlcClaim'), asset };
};

export const claim: Act = (scene) =>
  claimBy(scene, (recipient) => (scene.draft.isBusy(recipient) ? null : recipient));

/** The amount goes to the recipient of the lock, no matter who sends the claim. */
export const claimByThirdParty: Act = (scene) =>
  claimBy(
    scene,
    (recipient) => pickSender(scene, 0n, ({ address }) => address !== recipient)?.address ?? null,
  );

export const refund: Act = (scene) => {
  const { random, state, draft } = scene;
  const expired = pickLock(scene, (facts) => state.isExpired(facts.expiration));
  if (!expired) return null;
  const owner = state.addressOf(expired.facts.senderPublicKey);
  const sender = random.chance(THIRD_PARTY_REFUNDS) ? pickSender(scene, 0n)?.address : owner;
  if (sender === undefined || draft.isBusy(sender)) return null;
  const asset = { lockTransactionId: expired.id };
  return { sender, type: TransactionType.HtlcRefund, fee: feeOf('htlcRefund'), asset };
};
