import { CORE_TYPE_GROUP, TransactionType, type MultiSignature } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import type { Draft } from '../forging/draft.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import type { RawTransaction } from '../transactions/raw-transaction.js';
import { senderPublicKeyOf, signTransaction, type Credentials, type Member } from '../transactions/sign.js';
import type { Intent } from './intent.js';

const membersOf = ({ publicKeys }: MultiSignature, ring: KeyRing): readonly Member[] =>
  publicKeys.flatMap((publicKey, index) => {
    const keys = ring.findByPublicKey(publicKey);
    return keys ? [{ index, keys }] : [];
  });

/** Null if the seed does not have the keys of this account. */
const credentialsOf = (address: string, state: ChainState, ring: KeyRing): Credentials | null => {
  const { multiSignature, secondPublicKey } = state.wallets.of(address);
  if (multiSignature) {
    // The newest members sign, so that the signatures' indexes are not always the first ones.
    const members = membersOf(multiSignature, ring).slice(-multiSignature.min);
    const publicKey = state.wallets.multiSignatures.get(address);
    return publicKey && members.length === multiSignature.min
      ? { kind: 'members', publicKey, members }
      : null;
  }
  const keys = ring.findByAddress(address);
  if (!keys) return null;
  if (secondPublicKey === null) return { kind: 'single', keys, secondKeys: null };
  const secondKeys = ring.secondKeyOf(address);
  return secondKeys.publicKey === secondPublicKey ? { kind: 'single', keys, secondKeys } : null;
};

/** Returns the intent as a transaction for the draft; null if the seed cannot sign it. */
export const signIntent = (
  intent: Intent,
  draft: Draft,
  ring: KeyRing,
  signing: Signing,
): RawTransaction | null => {
  const credentials = credentialsOf(intent.sender, draft.state, ring);
  if (!credentials) return null;
  const { type, typeGroup = CORE_TYPE_GROUP, amount = 0n, fee, vendorField, recipientId, asset } = intent;
  const isTransfer = typeGroup === CORE_TYPE_GROUP && type === TransactionType.Transfer;
  const unsigned = {
    version: 2,
    network: draft.state.network.pubKeyHash,
    typeGroup,
    type,
    nonce: draft.nextNonceOf(intent.sender).toString(),
    senderPublicKey: senderPublicKeyOf(credentials),
    fee: fee.toString(),
    amount: amount.toString(),
    ...(vendorField === undefined ? {} : { vendorField }),
    ...(isTransfer ? { expiration: 0 } : {}),
    ...(recipientId === undefined ? {} : { recipientId }),
    ...(asset === undefined ? {} : { asset }),
  };
  const members = asset?.multiSignature ? membersOf(asset.multiSignature, ring) : [];
  return signTransaction(unsigned, credentials, members, signing);
};
