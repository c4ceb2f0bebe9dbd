import { ReadyJson } from '@roundhouse/dto';
import type { CoreDelegateRow, CoreEntityRow, CoreLockRow, CoreWalletRow } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { shownTime } from './resources.js';

// How objects that a node has in memory look.

export const shownWallet = ({ id: address, publicKey, balance, nonce, attributes }: CoreWalletRow) => ({
  ...{ address, publicKey: publicKey ?? undefined, balance, nonce: BigInt(nonce) },
  attributes: new ReadyJson(attributes),
});

/** Percent of the supply, with two digits. Source: core-kernel/src/utils/delegate-calculator.ts of Core 3.9.1. */
const approvalOf = (votes: bigint, supply: bigint): number => {
  const digits = String(supply).length - String(votes).length + 4;
  const share = (votes * 10n ** BigInt(digits)) / supply;
  return Number((Number(share) / 10 ** (digits - 2)).toFixed(2));
};

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
    production: { approval: approvalOf(votes, chain.head.supply) },
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
  ...{ id, publicKey, address, isResigned, type, subType },
  data: new ReadyJson(data),
});
