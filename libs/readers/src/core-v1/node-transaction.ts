import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { transactions } from '@roundhouse/entities/tables';
import { blockIdText, columnOf, hexText, keyOfNumber, signatureText } from '@roundhouse/entities/sql';

const { SecondSignature, DelegateRegistration, MultiPayment, DelegateResignation, HtlcClaim, HtlcRefund } =
  TransactionType;

/** A node's asset of the transaction `t`: the column holds it as the ledger reads it. */
export const NODE_ASSET = `CASE WHEN t.type_group <> ${CORE_TYPE_GROUP} THEN t.asset::jsonb -> 'other' ELSE CASE t.type
  WHEN ${SecondSignature} THEN jsonb_build_object('signature', jsonb_build_object('publicKey', t.asset -> 'secondPublicKey'))
  WHEN ${DelegateRegistration} THEN jsonb_build_object('delegate', jsonb_build_object('username', t.asset -> 'username'))
  WHEN ${MultiPayment} THEN jsonb_build_object('payments', (SELECT jsonb_agg(
    jsonb_build_object('amount', (payment ->> 1)::bigint, 'recipientId', payment ->> 0) ORDER BY place)
    FROM json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS listed (payment, place)))
  WHEN ${HtlcClaim} THEN jsonb_build_object('claim', t.asset)
  WHEN ${HtlcRefund} THEN jsonb_build_object('refund', t.asset)
  ELSE t.asset::jsonb END END`;

/** The number that nodes of 2.4 gave the type of the transaction `t`. */
const NODE_TYPE = `CASE WHEN t.type_group = ${CORE_TYPE_GROUP} AND t.type IN (${MultiPayment}, ${DelegateResignation}) THEN t.type + 1 ELSE t.type END`;

export const VERSION = columnOf('t', transactions, 'version');
const SENDER_KEY = keyOfNumber('t.sender');
const RECIPIENT = '(SELECT value FROM addresses WHERE addresses.number = t.recipient)';

/** SQL of a `NodeTransactionRow`: the transaction is `t`, its block `b`. */
export const TRANSACTION = `
  ${hexText('t.id')} AS id, ${blockIdText('b.id')} AS "blockId", b.height, b."timestamp", ${VERSION} AS version, ${NODE_TYPE} AS type, t.amount, t.fee,
  ${hexText(SENDER_KEY)} AS "senderPublicKey", ${RECIPIENT} AS "recipientId", t.vendor_field AS "vendorField",
  ${signatureText('t.signature')} AS signature, ${signatureText('t.second_signature')} AS "secondSignature",
  ARRAY(SELECT ${hexText('bytes')} FROM unnest(t.signatures) WITH ORDINALITY AS listed (bytes, place) ORDER BY place)
    AS signatures,
  (${NODE_ASSET})::text AS asset`;

/** A transaction as tables hold it; amounts in arktoshi. */
export interface NodeTransactionRow {
  readonly id: string;
  readonly blockId: string;
  readonly height: number;
  /** The block's, in seconds since the epoch: nodes showed it in place of the sender's. */
  readonly timestamp: number;
  readonly version: number;
  readonly type: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly senderPublicKey: string;
  readonly recipientId: string | null;
  readonly vendorField: Buffer | null;
  readonly signature: string | null;
  readonly secondSignature: string | null;
  /** Empty if there are none. */
  readonly signatures: readonly string[];
  /** JSON in the node's form; null if there is none. */
  readonly asset: string | null;
}
