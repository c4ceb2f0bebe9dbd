import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';

/**
 * SQL: whether `claims`, which is `claim_drifts` or a copy of it, holds the claims of all blocks up to the row of
 * `head`. An earlier version left them out, which matters only if one of its blocks has a claim.
 */
export const knowsClaims = (claims = 'claim_drifts'): string => `(
  NOT EXISTS (SELECT FROM public.transactions AS claim
    WHERE claim.type_group = ${CORE_TYPE_GROUP} AND claim.type = ${TransactionType.HtlcClaim}
      AND claim.block_height > head.claims_height AND claim.block_height <= head.height)
  AND NOT EXISTS (SELECT FROM ${claims} AS drift WHERE drift.height > head.height)
)`;
