import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import type { RawBlock } from '../chain/raw-block.js';
import { buildBlock } from '../forging/build-block.js';
import type { KeyPair } from '../keys/key-pair.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import type { RawTransaction, UnsignedTransaction } from '../transactions/raw-transaction.js';
import { signTransaction } from '../transactions/sign.js';
import { distribution } from './distribution.js';

type Part = Pick<UnsignedTransaction, 'type'> &
  Partial<Pick<UnsignedTransaction, 'amount' | 'recipientId' | 'asset' | 'expiration'>>;

/** The first block distributes the supply, registers the delegates and casts the first votes. All fees are 0. */
export const genesisBlock = (ring: KeyRing, signing: Signing, pubKeyHash: number): RawBlock => {
  const nonces = new Map<string, number>();
  const sign = (keys: KeyPair, part: Part): RawTransaction => {
    const nonce = (nonces.get(keys.address) ?? 0) + 1;
    nonces.set(keys.address, nonce);
    const transaction = {
      version: 1,
      network: pubKeyHash,
      typeGroup: CORE_TYPE_GROUP,
      timestamp: 0,
      nonce: String(nonce),
      senderPublicKey: keys.publicKey,
      fee: '0',
      amount: '0',
      ...part,
    };
    return signTransaction(transaction, { kind: 'single', keys, secondKeys: null }, [], signing);
  };

  const grants = distribution(ring);
  const transfers = grants.map(({ to, amount }) =>
    sign(ring.genesis, {
      type: TransactionType.Transfer,
      amount: amount.toString(),
      recipientId: to.address,
      expiration: 0,
    }),
  );
  const registrations = ring.genesisDelegates.map((keys, index) =>
    sign(keys, {
      type: TransactionType.DelegateRegistration,
      asset: { delegate: { username: `genesis_${index + 1}` } },
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
