import { multiSignatureKeyOf, TransactionType } from '@roundhouse/chain';
import { candidates, feeOf, pickSender, type Act, type Scene } from '../scene.js';
import { pickDelegate } from './vote.js';

const MEMBERS = 3;
const MIN = 2;
const TOKEN = 100_000_000n;

export const registerMultiSignature: Act = (scene) => {
  const { random, ring, state } = scene;
  const publicKeys = [
    ...new Set(Array.from({ length: MEMBERS }, () => random.pick(ring.accounts).publicKey)),
  ];
  if (publicKeys.length < MEMBERS) return null;
  const multiSignature = { publicKeys, min: MIN };
  if (state.wallets.multiSignatures.has(state.addressOf(multiSignatureKeyOf(multiSignature)!))) return null;
  const fee = feeOf('multiSignature') * BigInt(MEMBERS + 1);
  const sender = pickSender(scene, 2n * fee);
  return (
    sender && { sender: sender.address, type: TransactionType.MultiSignature, fee, asset: { multiSignature } }
  );
};

/** Finds a multi-signature account that has sent nothing in this block and can pay. */
const pickShared = ({ random, state, draft }: Scene, least: bigint): string | null => {
  const shared = candidates(
    state.wallets.multiSignatures,
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
  const current = scene.state.voteOf(sender);
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
