import { CORE_TYPE_GROUP, TransactionType, type Block, type Transaction } from '@roundhouse/chain';
import { buildBlock } from '../forging/build-block.js';
import type { KeyPair } from '../keys/key-pair.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import type { UnsignedTransaction } from '../transactions/serialise.js';
import { signTransaction } from '../transactions/sign.js';
import { distribution } from './distribution.js';

type Part = Pick<UnsignedTransaction, 'type'> &
  Partial<Pick<UnsignedTransaction, 'amount' | 'recipientId' | 'asset'>>;

/** The first block distributes the supply, registers the delegates and casts the first votes. All fees are 0. */
export const genesisBlock = (
  ring: KeyRing,
  signing: Signing,
  pubKeyHash: number,
  isDense: boolean,
): Block => {
  const sign = (keys: KeyPair, part: Part): Transaction => {
    const transaction = {
      version: 1,
      network: pubKeyHash,
      typeGroup: CORE_TYPE_GROUP,
      timestamp: 0,
      nonce: null,
      senderPublicKey: keys.publicKey,
      recipientId: null,
      fee: 0n,
      amount: 0n,
      expiration: 0,
      vendorField: null,
      asset: null,
      ...part,
    };
    return signTransaction(transaction, { kind: 'single', keys, secondKeys: null }, [], signing);
  };

  const grants = distribution(ring, isDense);
  const transfers = grants.map(({ to, amount }) =>
    sign(ring.genesis, { type: TransactionType.Transfer, amount, recipientId: to.address }),
  );
  const registrations = ring.genesisDelegates.map((keys, index) =>
    sign(keys, {
      type: TransactionType.DelegateRegistration,
      asset: { username: `genesis_${index + 1}` },
    }),
  );
  const votes = grants.flatMap(({ to, vote }) => {
    if (vote === null) return [];
    // A genesis vote also has its sender as the recipient, and its bytes contain the address.
    return [
      sign(to, { type: TransactionType.Vote, recipientId: to.address, asset: { votes: [`+${vote}`] } }),
    ];
  });
  const transactions = [...transfers, ...registrations, ...votes];
  return buildBlock({
    previous: null,
    timestamp: 0,
    reward: 0n,
    transactions,
    forger: ring.genesis,
    signing,
  });
};
