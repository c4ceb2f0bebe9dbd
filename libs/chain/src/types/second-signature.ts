import { KEY_BYTES } from '../bytes/byte-reader.js';
import type { ByteWriter } from '../bytes/byte-writer.js';
import { bytesOfKeyOf, inner } from '../fields/asset-fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeDefinition } from './definition.js';

const writeKey = (writer: ByteWriter, asset: TransactionAsset | null): void => {
  writer.hex(required(asset?.secondPublicKey, 'asset.signature.publicKey'));
};

export const secondSignature: TypeDefinition = {
  readAsset: (asset) => ({
    secondPublicKey: inner(asset, 'signature', (signature) => bytesOfKeyOf(signature, 'publicKey')),
  }),
  writeAsset: ({ secondPublicKey }) => ({ signature: { publicKey: secondPublicKey } }),
  write: (writer, { asset }) => writeKey(writer, asset),
  read: (reader) => ({ asset: { secondPublicKey: reader.hex(KEY_BYTES) } }),
  writeV1: writeKey,
  isWithoutRecipientInV1: true,
  check: (transaction, sender, of) => {
    if (sender.secondPublicKey !== null)
      of.broken('second-key', 'sets a second key, but its sender has one', transaction);
    // Core 2.0 to 2.3 allowed it; such accounts send version 1.
    if (sender.multiSignature !== null)
      of.broken(
        'members',
        'sets a second key for an account with members',
        transaction,
        transaction.version === 1,
      );
  },
  apply: (transaction, { ledger, sender, height }) => {
    ledger.setSecondPublicKey(sender, assetOf(transaction, 'secondPublicKey', height));
  },
};
