import type { DelegateDto, FoundDelegateDto } from '@roundhouse/dto';
import type { DelegateRecord } from '@roundhouse/storage';

export const delegateDtoOf = ({ username, address, publicKey, ownVote }: DelegateRecord): DelegateDto => ({
  username,
  address,
  publicKey,
  vote: ownVote,
});

/** The contract has `vote` mean another thing here: the weight received, as numeric text. */
export const foundDelegateDtoOf = (delegate: DelegateRecord): FoundDelegateDto => ({
  username: delegate.username,
  address: delegate.address,
  publicKey: delegate.publicKey,
  vote: delegate.weight.toString(),
  producedblocks: delegate.producedBlocks,
  missedblocks: delegate.missedBlocks,
});
