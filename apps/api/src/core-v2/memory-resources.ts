import { ReadyJson } from '@roundhouse/dto';
import type { CoreDelegateRow, CoreEntityRow, CoreLockRow, CoreWalletRow } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { shownTime } from './resources.js';

// How objects that a node has in memory look.

export const shownWallet = ({ id: address, publicKey, balance, nonce, attributes }: CoreWalletRow) => ({
  address,
  publicKey: publicKey ?? undefined,
  balance,
  nonce: BigInt(nonce),
  attributes: new ReadyJson(attributes),
});

export const shownDelegate = (delegate: CoreDelegateRow, chain: ChainView) => {
  const { lastId: id, lastHeight: height, lastTimestamp, votes, fees, rewards, rank } = delegate;
  return {
    username: delegate.username,
    address: delegate.id,
    publicKey: delegate.publicKey,
    votes,
    rank: rank === null ? undefined : Number(rank),
    isResigned: delegate.isResigned,
    blocks: {
      produced: delegate.produced,
      last: id === null ? undefined : { id, height, timestamp: shownTime(lastTimestamp!, chain) },
    },
    production: { approval: delegate.approval },
    forged: { fees, rewards, total: fees + rewards },
  };
};

/** What a restarted node makes of a vendor field: it reads the text as hexadecimal, up to the first other character. */
const restartedVendorField = (field: Buffer | null): string | undefined =>
  field === null ? undefined : Buffer.from(field.toString(), 'hex').toString();

export const shownLock = (lock: CoreLockRow, chain: ChainView) => ({
  lockId: lock.id,
  senderPublicKey: lock.senderPublicKey,
  isExpired: lock.isExpired,
  amount: lock.amount,
  secretHash: lock.secretHash,
  recipientId: lock.recipientId,
  timestamp: shownTime(lock.timestamp, chain),
  expirationType: lock.expirationType,
  expirationValue: Number(lock.expirationValue),
  vendorField: restartedVendorField(lock.vendorField),
});

export const shownEntity = ({ id, publicKey, address, isResigned, type, subType, data }: CoreEntityRow) => ({
  id,
  publicKey,
  address,
  isResigned,
  type,
  subType,
  data: new ReadyJson(data),
});
