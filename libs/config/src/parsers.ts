import { z } from 'zod';

/** Parses a whole number in decimal digits. Null for other text, and for numbers not from `least` to `most`. */
export const wholeNumberOf = (text: string, least: number, most = Number.MAX_SAFE_INTEGER): number | null => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
};

/** A whole number in decimal digits; `fallback` if the variable is not set. */
export const wholeNumber = (fallback: number, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .transform((text, context) => {
      const value = wholeNumberOf(text, least, most);
      if (value !== null) return value;
      const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
      context.addIssue(`it must be a whole number ${range}`);
      return z.NEVER;
    })
    .default(fallback);

/** One of these words; `fallback` if the variable is not set. */
export const oneOf = <const T extends readonly string[]>(words: T, fallback: T[number]) => {
  const quoted = words.map((word) => `"${word}"`);
  const error = `it must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return z.enum(words, { error }).default(() => fallback);
};

/** The schema of LOG_LEVEL. */
export const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info');

/** Treats an empty variable as not set: compose files pass missing variables on as empty. */
export const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
