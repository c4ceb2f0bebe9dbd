import { HASH_BYTES } from '../../bytes/byte-reader.js';
import type { TypeDefinition } from '../definition.js';
import {
  isObject,
  MAGISTRATE,
  malformed,
  partOf,
  readTexts,
  writeByte,
  writeHash,
  writeText,
} from './fields.js';

const ENTITY_DATA = ['name', 'ipfsData'];

export const entity: TypeDefinition = {
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, null, ['type', 'subType', 'action', 'registrationId', 'data']);
    for (const key of ['type', 'subType', 'action']) writeByte(writer, part, key);
    if (part['registrationId'] === undefined) writer.u8(0);
    else writeHash(writer.u8(HASH_BYTES), part, 'registrationId');
    const data = part['data'] ?? {};
    if (!isObject(data) || Object.keys(data).some((key) => !ENTITY_DATA.includes(key)))
      return malformed('data');
    for (const key of ENTITY_DATA) writeText(writer, data, key);
  },
  read: (reader) => {
    const numbers = { type: reader.u8(), subType: reader.u8(), action: reader.u8() };
    const registrationId = reader.short().toString('hex');
    const data = readTexts(reader, ENTITY_DATA);
    const other = { ...numbers, ...(registrationId === '' ? {} : { registrationId }), data };
    return { asset: { other } };
  },
};
