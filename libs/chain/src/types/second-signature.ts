import { KEY_BYTES } from '../bytes/byte-reader.js';
import type { ByteWriter } from '../bytes/byte-writer.js';
import { inner, publicKeyOf } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { assetOf, required, type TypeDefinition } from './definition.js';

const writeKey = (writer: ByteWriter, asset: TransactionAsset | null): void => {
  writer.hex(required(asset?.secondPublicKey, 'asset.signature.publicKey'));
};

export const secondSignature: TypeDefinition = {
  readAsset: (asset) => ({
    secondPublicKey: inner(asset, 'signature', (signature) => publicKeyOf(signature, 'publicKey')),
  }),
  writeAsset: ({ secondPublicKey }) => ({ signature: { publicKey: secondPublicKey } }),
  write: (writer, { asset }) => writeKey(writer, asset),
  read: (reader) => ({ asset: { secondPublicKey: reader.hex(KEY_BYTES) } }),
  writeV1: writeKey,
  isWithoutRecipientInV1: true,
  apply: (transaction, { ledger, sender, height }) => {
    ledger.setSecondPublicKey(sender, assetOf(transaction, 'secondPublicKey', height));
  },
};
