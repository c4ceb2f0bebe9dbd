import { multiSignatureKeyOf, TransactionType } from '@roundhouse/chain';
import { candidates, feeOf, isWithoutMembers, pickSender, type Act, type Scene } from '../scene.js';
import { pickDelegate } from './vote.js';

const MEMBERS = 3;
const MIN = 2;
const TOKEN = 100_000_000n;

const pickMembers = ({ random, ring }: Scene): string[] => [
  ...new Set(Array.from({ length: MEMBERS }, () => random.pick(ring.accounts).publicKey)),
];

export const registerMultiSignature: Act = (scene) => {
  const { state } = scene;
  const publicKeys = pickMembers(scene);
  if (publicKeys.length < MEMBERS) return null;
  const multiSignature = { publicKeys, min: MIN };
  if (state.multiSignatures.has(state.addressOf(multiSignatureKeyOf(multiSignature)!))) return null;
  const fee = feeOf('multiSignature') * BigInt(MEMBERS + 1);
  const sender = pickSender(scene, 2n * fee);
  return (
    sender && { sender: sender.address, type: TransactionType.MultiSignature, fee, asset: { multiSignature } }
  );
};

/** As before version 2: the account keeps its address, and its members sign nothing that an id covers. */
export const registerLegacyMultiSignature: Act = (scene) => {
  const keysgroup = pickMembers(scene).map((publicKey) => `+${publicKey}`);
  const fee = feeOf('multiSignature') * BigInt(MEMBERS + 1);
  const sender = pickSender(scene, 2n * fee, (account) => isWithoutMembers(scene, account));
  if (!sender) return null;
  const asset = { multiSignatureLegacy: { min: MIN, lifetime: 24, keysgroup } };
  return { sender: sender.address, version: 1, type: TransactionType.MultiSignature, fee, asset };
};

/** Finds a multi-signature account that has sent nothing in this block and can pay. */
const pickShared = ({ random, state, draft }: Scene, least: bigint): string | null => {
  const shared = candidates(
    state.multiSignatures,
    ([address]) => !draft.isBusy(address) && draft.spendableOf(address) >= least,
  );
  return shared.length > 0 ? random.pick(shared)[0] : null;
};

export const fundMultiSignature: Act = (scene) => {
  const { random } = scene;
  const recipientId = pickShared(scene, 0n);
  const sender = recipientId === null ? null : pickSender(scene, 50_000n * TOKEN);
  if (recipientId === null || !sender) return null;
  return {
    sender: sender.address,
    type: TransactionType.Transfer,
    fee: feeOf('transfer'),
    amount: random.amount(1_000n * TOKEN, 20_000n * TOKEN),
    recipientId,
    vendorField: 'for the shared account',
  };
};

export const multiSignatureVote: Act = (scene) => {
  const sender = pickShared(scene, feeOf('vote'));
  if (sender === null) return null;
  const current = scene.state.accountOf(sender).vote;
  const votes = [...(current === null ? [] : [`-${current}`]), `+${pickDelegate(scene)}`];
  return { sender, type: TransactionType.Vote, fee: feeOf('vote'), asset: { votes } };
};

export const multiSignatureTransfer: Act = (scene) => {
  const { random, ring, draft } = scene;
  const fee = feeOf('transfer');
  const sender = pickShared(scene, 100n * fee);
  if (sender === null) return null;
  return {
    sender,
    type: TransactionType.Transfer,
    fee,
    amount: random.amount(1n, draft.spendableOf(sender) / 10n),
    recipientId: random.pick(ring.accounts).address,
  };
};
