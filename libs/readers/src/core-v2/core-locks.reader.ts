import type { BlockRef } from '@roundhouse/chain';
import { hexText, RESTARTED_VENDOR_FIELD } from '@roundhouse/entities/sql';
import { found, selectAtHead } from '../at-head.js';
import { READ } from '../core-v1/list-filters.js';
import { memoryField } from './memory-criteria.js';
import { MemoryListReader, OF_ONE } from './memory-list.js';
import { timeFields } from './time-fields.js';

export interface CoreLockRow {
  readonly id: string;
  readonly senderPublicKey: string;
  readonly isExpired: boolean;
  /** Arktoshi. */
  readonly amount: bigint;
  readonly secretHash: string;
  readonly recipientId: string;
  readonly timestamp: number;
  readonly expirationType: number;
  readonly expirationValue: bigint;
  /** As it was sent. */
  readonly vendorField: Buffer | null;
}

const TYPE = `(t.asset -> 'lock' -> 'expiration' ->> 'type')::integer`;
const VALUE = `(t.asset -> 'lock' -> 'expiration' ->> 'value')::bigint`;
const SECRET_HASH = `(t.asset -> 'lock' ->> 'secretHash')`;
const IS_EXPIRED = `(SELECT CASE ${TYPE} WHEN 1 THEN ${VALUE} <= h."timestamp" WHEN 2 THEN ${VALUE} <= h.height ELSE false END FROM head h)`;

/** With the transaction `t` of the lock `l`, its block `b`, and its sender's key `k`. */
const TABLES = `JOIN transactions t ON t.id = l.transaction_id JOIN blocks b ON b.height = t.block_height
  JOIN public_keys k ON k.number = t.sender`;

const LOCK = `${hexText('l.transaction_id')} AS id, ${hexText('k.value')} AS "senderPublicKey", ${IS_EXPIRED} AS "isExpired",
  l.amount, ${SECRET_HASH} AS "secretHash", l.recipient_address AS "recipientId", b."timestamp", ${TYPE} AS "expirationType",
  ${VALUE} AS "expirationValue", t.vendor_field AS "vendorField"`;

/** $1, $2: the head; $3: the id. */
const SELECT_LOCK = selectAtHead(
  'core-lock',
  'found.*',
  `LEFT JOIN LATERAL (SELECT ${LOCK} FROM locks l ${TABLES} WHERE l.transaction_id = $3) found ON true`,
);

/** Open locks as nodes of 3.x list them. */
export class CoreLocksReader extends MemoryListReader<CoreLockRow> {
  protected readonly table = {
    shape: {
      fields: {
        lockId: memoryField('text', hexText('l.transaction_id')),
        senderPublicKey: memoryField('text', hexText('k.value')),
        isExpired: memoryField('flag', IS_EXPIRED),
        amount: memoryField('amount', 'l.amount'),
        secretHash: memoryField('text', SECRET_HASH),
        recipientId: memoryField('text', 'l.recipient_address'),
        ...timeFields('timestamp', 'b."timestamp"'),
        expirationType: memoryField('number', TYPE),
        expirationValue: memoryField('number', VALUE),
        vendorField: memoryField('text', `(${RESTARTED_VENDOR_FIELD})`),
      },
    },
    from: `locks l ${TABLES}`,
    // Those of a wallet, by its address.
    whereOne: `l.sender_address = ${OF_ONE}`,
    keys: 'l.transaction_id',
    inMemory: 't.block_height DESC, t.sequence DESC',
    columns: LOCK,
    look: `JOIN locks l ON l.transaction_id = p.transaction_id ${TABLES}`,
  };

  async findLock(at: BlockRef, id: string): Promise<CoreLockRow | undefined> {
    return found(await this.rows<CoreLockRow>(at, SELECT_LOCK, READ.hex(id)), 'id')[0];
  }
}
