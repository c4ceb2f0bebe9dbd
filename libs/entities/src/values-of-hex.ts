import { COMPACT_DIGITS, NUMBER_DIGITS, SHORT_ID_DIGITS, type Form } from './values.js';

const derOf = (compact: string): string => {
  const numbers = [compact.slice(0, NUMBER_DIGITS), compact.slice(NUMBER_DIGITS)];
  const rest = numbers.map((number) => (number < '8' ? `0220${number}` : `022100${number}`)).join('');
  return `30${(rest.length / 2).toString(16)}${rest}`;
};

/** The signature for which these bytes are stored. */
const signatureOfStored = (stored: string): string => {
  if (stored.startsWith('00')) return stored.slice(2);
  return stored.length === COMPACT_DIGITS ? derOf(stored) : stored;
};

/** The value whose bytes these are. */
export const valueOfHex = (form: Form, hex: string): string => {
  if (form === 'signature') return signatureOfStored(hex);
  return form === 'block id' && hex.length === SHORT_ID_DIGITS ? BigInt(`0x${hex}`).toString() : hex;
};
