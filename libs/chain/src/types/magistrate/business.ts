import type { Attributes } from '../../accounts/attributes.js';
import { EMPTY, type Check, type TypeDefinition } from '../definition.js';
import { problemOfBusiness, problemOfEnd, unlessAllowed } from './checks.js';
import { amending, MAGISTRATE, objectIn, partOf, readTexts, writeText, type Json } from './fields.js';

const BUSINESS = ['name', 'website', 'vat', 'repository'] as const;

const business = (
  name: string,
  check: Check,
  change: (attributes: Attributes, part: Json) => Attributes,
): TypeDefinition => ({
  ...MAGISTRATE,
  write: (writer, { asset }) => {
    const part = partOf(asset, name, BUSINESS);
    for (const key of BUSINESS) writeText(writer, part, key);
  },
  read: (reader) => ({ asset: { other: { [name]: readTexts(reader, BUSINESS) } } }),
  check,
  apply: amending((attributes, asset) => change(attributes, objectIn(asset, name))),
});

const checkFirst = unlessAllowed('business', (attributes, _asset, _transaction, of) => {
  const again = attributes.business && 'registers a business, but its sender has one';
  return problemOfEnd(of) ?? again ?? null;
});

const checkKnown = unlessAllowed(
  'business',
  (attributes, _asset, _transaction, of) => problemOfEnd(of) ?? problemOfBusiness(attributes),
);

export const businessRegistration = business(
  'businessRegistration',
  checkFirst,
  (attributes, businessAsset) => ({ ...attributes, business: { businessAsset } }),
);

export const businessUpdate = business('businessUpdate', checkKnown, (attributes, part) => {
  const { business: known } = attributes;
  return known === undefined
    ? attributes
    : { ...attributes, business: { ...known, businessAsset: { ...known.businessAsset, ...part } } };
});

/** It has no asset. */
export const businessResignation: TypeDefinition = {
  ...EMPTY,
  check: checkKnown,
  apply: amending((attributes) => ({ ...attributes, business: { ...attributes.business, resigned: true } })),
};
