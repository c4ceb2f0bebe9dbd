import { multiSignatureKeyOf, textOfMembers } from '../accounts/multi-signature.js';
import { KEY_BYTES, type ByteReader } from '../bytes/byte-reader.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import { inner, keysOf, signedKeyOf } from '../fields/asset-fields.js';
import { byteOf, decodeEach, isAbsent, listOf, within, type JsonObject } from '../fields/fields.js';
import type { LegacyMultiSignature, TransactionAsset } from '../transactions/transaction.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type Payload, type TypeDefinition } from './definition.js';

/** The members of version 1: as Core has named them since 2.4, and before. */
const LEGACY_MEMBERS = ['multiSignatureLegacy', 'multisignature'] as const;

const MOST_MEMBERS = 16;

const readAsset = (asset: JsonObject): TransactionAsset => {
  const legacyKey = LEGACY_MEMBERS.find((key) => !isAbsent(asset, key));
  if (legacyKey === undefined)
    return inner(asset, 'multiSignature', (members) => ({
      multiSignature: { min: byteOf(members, 'min'), publicKeys: keysOf(members, 'publicKeys') },
    }));
  return inner(asset, legacyKey, (legacy) => {
    const keys = listOf(legacy, 'keysgroup');
    const keysgroup = within('keysgroup', () => decodeEach(keys, signedKeyOf));
    const [min, lifetime] = [byteOf(legacy, 'min'), byteOf(legacy, 'lifetime')];
    return { multiSignatureLegacy: { min, lifetime, keysgroup } };
  });
};

const readKeys = (reader: ByteReader, count: number): string[] =>
  Array.from({ length: count }, () => reader.hex(KEY_BYTES));

const legacyOf = (asset: TransactionAsset | null): LegacyMultiSignature =>
  required(asset?.multiSignatureLegacy, 'asset.multiSignatureLegacy');

const v1: Payload = {
  write: (writer, { asset }) => {
    const { min, lifetime, keysgroup } = legacyOf(asset);
    writer.u8(min).u8(keysgroup.length).u8(lifetime);
    for (const key of keysgroup) writer.hex(key.slice(1));
  },
  read: (reader) => {
    const min = reader.u8();
    const count = reader.u8();
    const lifetime = reader.u8();
    const keysgroup = readKeys(reader, count).map((key) => `+${key}`);
    return { asset: { multiSignatureLegacy: { min, lifetime, keysgroup } } };
  },
};

export const multiSignature: TypeDefinition = {
  readAsset,
  write: (writer, { asset }) => {
    const { min, publicKeys } = required(asset?.multiSignature, 'asset.multiSignature');
    writer.u8(min).u8(publicKeys.length);
    for (const publicKey of publicKeys) writer.hex(publicKey);
  },
  read: (reader) => {
    const min = reader.u8();
    return { asset: { multiSignature: { min, publicKeys: readKeys(reader, reader.u8()) } } };
  },
  v1,
  writeV1: (writer, asset) => {
    const { min, lifetime, keysgroup } = legacyOf(asset);
    writer.u8(min).u8(lifetime).utf8(keysgroup.join(''));
  },
  isWithoutRecipientInV1: true,
  touches: ({ multiSignature: members }) => {
    // An invalid registration touches nothing: its block is refused.
    const shared = members && multiSignatureKeyOf(members);
    return shared ? { publicKeys: [shared] } : {};
  },
  check: (transaction, sender, of) => {
    const members = transaction.asset?.multiSignature;
    if (members === undefined) {
      if (sender.multiSignature !== null)
        of.broken('members', 'gives members to an account that has some', transaction);
      return;
    }
    const { min, publicKeys } = members;
    if (min < 1 || min > publicKeys.length || publicKeys.length > MOST_MEMBERS)
      of.broken('members', `registers ${publicKeys.length} members, of which ${min} must sign`, transaction);
    const signed = transaction.signatures?.length ?? 0;
    if (signed !== publicKeys.length)
      of.broken('members', `has signatures of ${signed} of ${publicKeys.length} members`, transaction);
    const shared = multiSignatureKeyOf(members);
    const { ledger } = of;
    if (shared !== null && ledger.accounts.get(ledger.addresses.addressOf(shared))?.multiSignature)
      of.broken('members', `registers the account of ${shared}, which is registered`, transaction);
  },
  /** In version 1 the sender itself gets members. In version 2 the members get an account of their own. */
  apply: (transaction, { ledger, sender, height }) => {
    const legacy = transaction.asset?.multiSignatureLegacy;
    if (legacy !== undefined) {
      const publicKeys = legacy.keysgroup.map((signedKey) => signedKey.slice(1));
      ledger.setMultiSignature(sender, textOfMembers({ min: legacy.min, publicKeys }));
      ledger.amend(sender, (attributes) => ({ ...attributes, multiSignature: { ...legacy, legacy: true } }));
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
  },
};
