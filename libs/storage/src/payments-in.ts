import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';

/**
 * SQL of the payments in the multi-payments `t` that meet a condition: number of the recipient, place of the transaction,
 * position in its list from 1. One without a number is left out.
 */
export const paymentsIn = (where: string): string => `
SELECT a.number AS recipient, t.block_height, t.sequence, listed.position::integer AS position
FROM roundhouse.transactions t
  CROSS JOIN LATERAL json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, position)
  JOIN roundhouse.addresses a ON a.value = listed.payment ->> 0
WHERE t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.MultiPayment} AND ${where}`;
