import { z } from 'zod';

/** A whole number in decimal digits; `fallback` if the variable is not set. */
export const wholeNumber = (fallback: number, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'it must be a whole number in decimal digits')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `it must be between ${least} and ${most}`)
    .default(fallback);

/** Treats an empty variable as not set: compose files pass missing variables on as empty. */
export const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
