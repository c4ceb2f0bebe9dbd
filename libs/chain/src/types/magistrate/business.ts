import { EMPTY, type TypeDefinition } from '../definition.js';
import { moveIfAny } from '../unknown.js';
import { MAGISTRATE, partOf, readTexts, writeText } from './fields.js';

const BUSINESS = ['name', 'website', 'vat', 'repository'] as const;

const business = (name: string): TypeDefinition => ({
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, name, BUSINESS);
    for (const key of BUSINESS) writeText(writer, part, key);
  },
  read: (reader) => ({ asset: { other: { [name]: readTexts(reader, BUSINESS) } } }),
});

export const businessRegistration = business('businessRegistration');

export const businessUpdate = business('businessUpdate');

/** It has no asset. */
export const businessResignation: TypeDefinition = { ...EMPTY, apply: moveIfAny };
