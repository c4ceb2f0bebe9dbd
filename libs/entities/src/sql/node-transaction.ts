import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';

const { SecondSignature, DelegateRegistration, MultiPayment, HtlcClaim, HtlcRefund } = TransactionType;

/** A node's asset of the transaction `t`: the column holds it as the ledger reads it. */
export const NODE_ASSET = `CASE WHEN t.type_group <> ${CORE_TYPE_GROUP} THEN t.asset::jsonb -> 'other' ELSE CASE t.type
  WHEN ${SecondSignature} THEN jsonb_build_object('signature', jsonb_build_object('publicKey', t.asset -> 'secondPublicKey'))
  WHEN ${DelegateRegistration} THEN jsonb_build_object('delegate', jsonb_build_object('username', t.asset -> 'username'))
  WHEN ${MultiPayment} THEN jsonb_build_object('payments', (SELECT jsonb_agg(
    jsonb_build_object('amount', payment ->> 1, 'recipientId', payment ->> 0) ORDER BY place)
    FROM json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, place)))
  WHEN ${HtlcClaim} THEN jsonb_build_object('claim', t.asset)
  WHEN ${HtlcRefund} THEN jsonb_build_object('refund', t.asset)
  ELSE t.asset::jsonb END END`;

/** Of version 1 it is the number of transactions that the sender had sent. */
export const NODE_NONCE = `coalesce(t.nonce, (
  (SELECT count(*) FROM transactions earlier WHERE earlier.sender = t.sender AND earlier.block_height < t.block_height)
  + (SELECT count(*) FROM transactions beside WHERE beside.sender = t.sender AND beside.block_height = t.block_height
    AND beside.sequence <= t.sequence)))`;
