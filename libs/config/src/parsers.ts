import { z } from 'zod';

/** A whole number in decimal digits, `fallback` where the variable is not set. */
export const wholeNumber = (fallback: number, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'it must be a whole number in decimal digits')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `it must lie between ${least} and ${most}`)
    .default(fallback);

/** An empty variable counts as one that is not set: that is how compose files pass on what is absent. */
export const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
