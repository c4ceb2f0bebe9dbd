import { hexOf, isAbsent, listOf, type JsonObject, decodeEach, within } from './fields.js';

/** The signatures of the members of a multi-signature account; null if there are none. Throws `ShapeError`. */
export const signaturesOf = (transaction: JsonObject): readonly string[] | null => {
  if (isAbsent(transaction, 'signatures')) return null;
  const list = listOf(transaction, 'signatures');
  return list.length === 0
    ? null
    : within('signatures', () => decodeEach(list, (value) => hexOf({ value }, 'value')));
};
