import { multiSignatureKeyOf, textOfMembers } from '../../accounts/multi-signature.js';
import { InvalidBlockError } from '../../errors/chain-error.js';
import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** In version 1 the sender itself gets members. In version 2 the members get an account of their own. */
export const applyMultiSignature: Effect = (transaction, { ledger, sender, height }) => {
  const legacy = transaction.asset?.multiSignatureLegacy;
  if (legacy !== undefined) {
    const publicKeys = legacy.keysgroup.map((signedKey) => signedKey.slice(1));
    ledger.setMultiSignature(sender, textOfMembers({ min: legacy.min, publicKeys }));
    return;
  }
  const members = assetOf(transaction, 'multiSignature', height);
  const publicKey = multiSignatureKeyOf(members);
  if (publicKey === null)
    throw new InvalidBlockError(
      height,
      `transaction ${transaction.id} registers members that cannot have an account: ` +
        `${members.min} of ${members.publicKeys.join(', ')}`,
    );
  ledger.setMultiSignature(ledger.signer(publicKey), textOfMembers(members));
};
