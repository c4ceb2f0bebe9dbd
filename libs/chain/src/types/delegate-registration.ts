import { inner, textOf } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { assetOf, required, type TypeDefinition } from './definition.js';

const usernameOf = (asset: TransactionAsset | null): string =>
  required(asset?.username, 'asset.delegate.username');

export const delegateRegistration: TypeDefinition = {
  readAsset: (asset) => ({
    username: inner(asset, 'delegate', (delegate) => textOf(delegate, 'username')),
  }),
  writeAsset: ({ username }) => ({ delegate: { username } }),
  write: (writer, { asset }) => {
    writer.short(Buffer.from(usernameOf(asset)));
  },
  read: (reader) => ({ asset: { username: reader.shortText() } }),
  writeV1: (writer, asset) => {
    writer.utf8(usernameOf(asset));
  },
  apply: (transaction, { ledger, sender, height, sequence }) => {
    ledger.register({
      publicKey: transaction.senderPublicKey,
      address: sender.address,
      username: assetOf(transaction, 'username', height),
      registeredHeight: height,
      registeredSequence: sequence,
    });
  },
};
