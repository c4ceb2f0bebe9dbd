import { inner } from '../fields/asset-fields.js';
import { textOf } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeDefinition } from './definition.js';

const usernameOf = (asset: TransactionAsset | null): string =>
  required(asset?.username, 'asset.delegate.username');

const USERNAME = /^[a-z0-9!@$&_.]{1,20}$/;

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
  /** The ledger itself refuses a second registration and a username that is taken. */
  check: (transaction, sender, of) => {
    const username = transaction.asset?.username ?? '';
    if (!USERNAME.test(username))
      of.broken(
        'username',
        `registers ${JSON.stringify(username)}; a username has 1 to 20 of a-z, 0-9 and !@$&_.`,
        transaction,
      );
    // Core 2.0 to 2.3 let accounts with members register; such accounts send version 1.
    if (sender.multiSignature !== null)
      of.broken(
        'members',
        'registers an account with members as a delegate',
        transaction,
        transaction.version === 1,
      );
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
