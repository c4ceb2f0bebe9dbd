import { ADDRESS_BYTES, addressOfBytes, bytesOfAddress } from '../accounts/address.js';
import { HASH_BYTES } from '../bytes/byte-reader.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import { inner } from '../fields/asset-fields.js';
import { byteOf, hashOf, uint32Of } from '../fields/fields.js';
import type { HtlcLock } from '../transactions/transaction.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeCheck, type TypeDefinition } from './definition.js';

const BY_TIME = 1;
const BY_HEIGHT = 2;

/** Whether a lock has ended in the block before, by how much more than that (Core 3.9, `calculateLockExpirationStatus`). */
export const hasEnded = (
  { expiration: { type, value } }: HtlcLock,
  { ledger, height }: TypeCheck,
  { blocks, seconds } = { blocks: 0, seconds: 0 },
): boolean =>
  (type === BY_TIME && value <= (ledger.head?.timestamp ?? 0) + seconds) ||
  (type === BY_HEIGHT && value <= height - 1 + blocks);

export const htlcLock: TypeDefinition = {
  hasVendorField: true,
  hasAmount: true,
  hasRecipient: true,
  readAsset: (asset) =>
    inner(asset, 'lock', (lock) => ({
      lock: {
        secretHash: hashOf(lock, 'secretHash'),
        expiration: inner(lock, 'expiration', (expiration) => ({
          type: byteOf(expiration, 'type'),
          value: uint32Of(expiration, 'value'),
        })),
      },
    })),
  write: (writer, { amount, asset, recipientId }) => {
    const { secretHash, expiration } = required(asset?.lock, 'asset.lock');
    writer
      .u64(amount)
      .hex(secretHash)
      .u8(expiration.type)
      .u32(expiration.value)
      .bytes(bytesOfAddress(required(recipientId, 'recipientId')));
  },
  read: (reader) => {
    const amount = reader.u64();
    const secretHash = reader.hex(HASH_BYTES);
    const expiration = { type: reader.u8(), value: reader.u32() };
    const recipientId = addressOfBytes(reader.take(ADDRESS_BYTES));
    return { amount, asset: { lock: { secretHash, expiration } }, recipientId };
  },
  check: (transaction, _sender, of) => {
    const lock = transaction.asset?.lock;
    if (lock === undefined) return;
    const { type } = lock.expiration;
    if (of.constants.hasNonces && !of.isInForce('htlcEnabled'))
      of.broken('lock', 'is a lock, but htlcEnabled is not in force', transaction);
    const { activeDelegates, blocktime } = of.constants;
    if (type !== BY_TIME && type !== BY_HEIGHT)
      of.broken('lock', `has an expiration of type ${type}, which is none`, transaction);
    else if (hasEnded(lock, of)) of.broken('lock', 'has expired before it begins', transaction);
    else if (hasEnded(lock, of, { blocks: activeDelegates, seconds: activeDelegates * blocktime }))
      // A node whose CORE_ENV is "test" accepts it.
      of.broken('lock', 'expires within a round', transaction, true);
  },
  /** The amount stays with the sender, locked, until a claim or a refund. */
  apply: (transaction, { ledger, sender, height }) => {
    const { id, amount, recipientId } = transaction;
    if (recipientId === null) throw new InvalidBlockError(height, `lock ${id} has no recipient`);
    ledger.move(sender, -amount, amount);
    ledger.openLock(
      { transactionId: id, senderAddress: sender.address, recipientAddress: recipientId, amount },
      assetOf(transaction, 'lock', height),
    );
  },
};
