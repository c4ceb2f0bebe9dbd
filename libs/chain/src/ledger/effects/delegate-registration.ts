import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

export const applyDelegateRegistration: Effect = (transaction, { ledger, sender, height, sequence }) => {
  ledger.register({
    publicKey: transaction.senderPublicKey,
    address: sender.address,
    username: assetOf(transaction, 'username', height),
    registeredHeight: height,
    registeredSequence: sequence,
  });
};
