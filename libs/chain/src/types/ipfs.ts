import { decodeBase58, encodeBase58 } from '../accounts/base58.js';
import { attributesOf } from '../accounts/attributes.js';
import { UnserialisableError } from '../bytes/unserialisable.error.js';
import { textOf } from '../fields/fields.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeDefinition } from './definition.js';

export const ipfs: TypeDefinition = {
  readAsset: (asset) => ({ ipfs: textOf(asset, 'ipfs') }),
  write: (writer, { asset }) => {
    const multihash = decodeBase58(required(asset?.ipfs, 'asset.ipfs'));
    if (multihash === null) throw new UnserialisableError('has an "asset.ipfs" that is not Base58 text');
    writer.bytes(multihash);
  },
  // A multihash states its function, then its length.
  read: (reader) => ({ asset: { ipfs: encodeBase58(reader.take(2 + reader.peek(1))) } }),
  /** Core knows the hashes of all accounts. */
  check: (transaction, sender, of) => {
    const hash = transaction.asset?.ipfs ?? '';
    // Before nonces, Core 2.4 and 2.5 did not look.
    if (transaction.nonce !== null && attributesOf(sender.attributes).ipfs?.hashes[hash])
      of.broken('ipfs', `registers the file ${hash}, which its sender has registered`, transaction);
  },
  apply: (transaction, { ledger, sender, height }) => {
    const hash = assetOf(transaction, 'ipfs', height);
    ledger.amend(sender, (attributes) => ({
      ...attributes,
      ipfs: { hashes: { ...attributes.ipfs?.hashes, [hash]: true } },
    }));
  },
};
