import { KEY_BYTES } from '../bytes/byte-reader.js';
import { decodeEach, keysOf, listOf, signedKeyOf, within, type JsonObject } from '../fields/fields.js';
import { assetOf, required, type TypeDefinition } from './definition.js';

const readVotes = (asset: JsonObject): string[] => {
  // Later chains of the family list unvotes separately from votes; unvotes come first.
  if (Array.isArray(asset['unvotes'])) {
    const unvotes = keysOf(asset, 'unvotes').map((key) => `-${key}`);
    return [...unvotes, ...keysOf(asset, 'votes').map((key) => `+${key}`)];
  }
  const votes = listOf(asset, 'votes');
  return within('votes', () => decodeEach(votes, signedKeyOf));
};

export const vote: TypeDefinition = {
  readAsset: (asset) => ({ votes: readVotes(asset) }),
  write: (writer, { asset }) => {
    const votes = required(asset?.votes, 'asset.votes');
    writer.u8(votes.length);
    for (const each of votes) writer.u8(each.startsWith('+') ? 1 : 0).hex(each.slice(1));
  },
  read: (reader) => {
    const votes = Array.from(
      { length: reader.u8() },
      () => `${reader.u8() === 1 ? '+' : '-'}${reader.hex(KEY_BYTES)}`,
    );
    return { asset: { votes } };
  },
  writeV1: (writer, asset) => {
    writer.utf8(required(asset?.votes, 'asset.votes').join(''));
  },
  /** Votes apply in order: `+key` sets the vote; `-key` clears it, whatever key it names (Core 2.4 and 3.9). */
  apply: (transaction, { ledger, sender, height }) => {
    for (const each of assetOf(transaction, 'votes', height))
      ledger.setVote(sender, each.startsWith('+') ? each.slice(1) : null);
  },
};
