import type { Attributes } from '../../accounts/attributes.js';
import { EMPTY, type TypeDefinition } from '../definition.js';
import { amending, MAGISTRATE, objectIn, partOf, readTexts, writeText, type Json } from './fields.js';

const BUSINESS = ['name', 'website', 'vat', 'repository'] as const;

const business = (
  name: string,
  change: (attributes: Attributes, part: Json) => Attributes,
): TypeDefinition => ({
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, name, BUSINESS);
    for (const key of BUSINESS) writeText(writer, part, key);
  },
  read: (reader) => ({ asset: { other: { [name]: readTexts(reader, BUSINESS) } } }),
  apply: amending((attributes, asset) => change(attributes, objectIn(asset, name))),
});

export const businessRegistration = business('businessRegistration', (attributes, businessAsset) => ({
  ...attributes,
  business: { businessAsset },
}));

export const businessUpdate = business('businessUpdate', (attributes, part) => {
  const { business: known } = attributes;
  return known === undefined
    ? attributes
    : { ...attributes, business: { ...known, businessAsset: { ...known.businessAsset, ...part } } };
});

/** It has no asset. */
export const businessResignation: TypeDefinition = {
  ...EMPTY,
  apply: amending((attributes) => ({ ...attributes, business: { ...attributes.business, resigned: true } })),
};
