import type { ValueTransformer } from 'typeorm';

/** PostgreSQL's bigint comes as text; amounts are bigint (arktoshi) in the domain. */
export const amountTransformer: ValueTransformer = {
  from: (text: string | null): bigint | null => (text === null ? null : BigInt(text)),
  to: (amount: bigint | null | undefined): string | null | undefined => amount?.toString(),
};
