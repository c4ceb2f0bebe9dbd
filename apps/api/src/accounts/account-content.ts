import { membersOf } from '@roundhouse/chain';
import type { AccountDto } from '@roundhouse/dto';
import type { AccountRecord } from '@roundhouse/readers';

/** An account as the answers show it. */
export const accountContent = ({ delegate, ...account }: AccountRecord): AccountDto => ({
  address: account.address,
  publicKey: account.publicKey,
  balance: account.balance,
  locked: account.locked,
  nonce: account.nonce,
  secondPublicKey: account.secondPublicKey,
  multiSignature: account.multiSignature === null ? null : membersOf(account.multiSignature),
  vote: account.vote,
  delegate: delegate && {
    username: delegate.username,
    isResigned: delegate.isResigned,
    weight: delegate.weight,
    producedblocks: delegate.producedBlocks,
    missedblocks: delegate.missedBlocks,
    fees: delegate.forgedFees,
    rewards: delegate.forgedRewards,
    forged: delegate.forgedFees + delegate.forgedRewards,
  },
});
