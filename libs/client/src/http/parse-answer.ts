import { isLosslessNumber, parse } from 'lossless-json';
import { AMOUNTS } from '../generated/api.js';

const revive = (key: string, value: unknown): unknown => {
  if (!isLosslessNumber(value)) return value;
  return AMOUNTS.has(key) ? BigInt(value.value) : Number(value.value);
};

/**
 * Parses JSON of the API: amounts become `bigint` with every digit, all other numbers `number`. Throws `SyntaxError`.
 */
export const parseAnswer = (text: string): unknown => parse(text, revive);
