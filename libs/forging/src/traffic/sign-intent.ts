import { CORE_TYPE_GROUP, membersOf, type Transaction } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import type { Draft } from '../forging/draft.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import { senderPublicKeyOf, signTransaction, type Credentials, type Member } from '../transactions/sign.js';
import type { Intent } from './intent.js';

const signersOf = (publicKeys: readonly string[], ring: KeyRing): readonly Member[] =>
  publicKeys.flatMap((publicKey, index) => {
    const keys = ring.findByPublicKey(publicKey);
    return keys ? [{ index, keys }] : [];
  });

/** Null if the seed does not have the keys of this account, or version 1 gave it members: nodes take nothing more of it. */
const credentialsOf = (address: string, state: ChainState, ring: KeyRing): Credentials | null => {
  const { multiSignature, secondPublicKey } = state.accountOf(address);
  const publicKey = state.multiSignatures.get(address);
  if (publicKey !== undefined) {
    const { min, publicKeys } = membersOf(multiSignature!);
    // The newest members sign, so that the signatures' indexes are not always the first ones.
    const members = signersOf(publicKeys, ring).slice(-min);
    return members.length === min ? { kind: 'members', publicKey, members } : null;
  }
  const keys = ring.findByAddress(address);
  if (!keys || multiSignature !== null) return null;
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
): Transaction | null => {
  const credentials = credentialsOf(intent.sender, draft.state, ring);
  if (!credentials) return null;
  const { version = 2, type, typeGroup = CORE_TYPE_GROUP, amount = 0n, fee } = intent;
  const { vendorField, recipientId, asset } = intent;
  const unsigned = {
    version,
    network: draft.state.network.pubKeyHash,
    typeGroup,
    type,
    timestamp: version === 1 ? draft.state.ledger.head!.timestamp : null,
    nonce: version === 1 ? null : draft.nextNonceOf(intent.sender),
    senderPublicKey: senderPublicKeyOf(credentials),
    fee,
    amount,
    expiration: 0,
    vendorField: vendorField === undefined ? null : Buffer.from(vendorField).toString('hex'),
    recipientId: recipientId ?? null,
    asset: asset ?? null,
  };
  const members = signersOf(asset?.multiSignature?.publicKeys ?? [], ring);
  return signTransaction(unsigned, credentials, members, signing);
};
