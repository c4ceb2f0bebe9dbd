import { KEY_BYTES } from '../bytes/byte-reader.js';
import { keysOf, signedKeyOf } from '../fields/asset-fields.js';
import { decodeEach, listOf, within, type JsonObject } from '../fields/fields.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type Check, type TypeDefinition } from './definition.js';

const readVotes = (asset: JsonObject): string[] => {
  // Later chains of the family list unvotes separately from votes; unvotes come first.
  if (Array.isArray(asset['unvotes'])) {
    const unvotes = keysOf(asset, 'unvotes').map((key) => `-${key}`);
    return [...unvotes, ...keysOf(asset, 'votes').map((key) => `+${key}`)];
  }
  const votes = listOf(asset, 'votes');
  return within('votes', () => decodeEach(votes, signedKeyOf));
};

/**
 * A vote goes to a delegate that has not resigned, from an account without a vote; an unvote names the vote that there is.
 * Two in one transaction need AIP 37.
 */
const check: Check = (transaction, sender, of) => {
  const votes = transaction.asset?.votes ?? [];
  const most = of.constants.aip37 ? 2 : 1;
  if (votes.length === 0 || votes.length > most)
    of.broken('vote', `has ${votes.length} votes, but from 1 to ${most} are allowed`, transaction);
  let current = sender.vote;
  for (const each of votes) {
    const [isFor, publicKey] = [each.startsWith('+'), each.slice(1)];
    const delegate = of.ledger.delegates.get(publicKey);
    if (delegate === undefined)
      of.broken('vote', `has a vote for ${publicKey}, which is not a delegate`, transaction);
    else if (isFor && delegate.isResigned)
      of.broken('vote', `votes for ${delegate.username}, which has resigned`, transaction);
    if (isFor && current !== null)
      of.broken('vote', `votes for ${publicKey}, but its sender votes for ${current}`, transaction);
    if (!isFor && current !== publicKey)
      of.broken(
        'vote',
        `takes a vote from ${publicKey}, but its sender votes for ${current ?? 'nobody'}`,
        transaction,
      );
    current = isFor ? publicKey : null;
  }
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
  check,
  /** Votes apply in order: `+key` sets the vote; `-key` clears it, whatever key it names (Core 2.4 and 3.9). */
  apply: (transaction, { ledger, sender, height }) => {
    for (const each of assetOf(transaction, 'votes', height))
      ledger.setVote(sender, each.startsWith('+') ? each.slice(1) : null);
  },
};
