import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

export const applySecondSignature: Effect = (transaction, { ledger, sender, height }) => {
  ledger.setSecondPublicKey(sender, assetOf(transaction, 'secondPublicKey', height));
};
