import type { BlockRef } from '@roundhouse/chain';
import { hexText } from '@roundhouse/entities/sql';
import { found, selectAtHead } from '../at-head.js';
import { assertDetails, HAS_DETAILS } from './details.js';
import { memoryField } from './memory-criteria.js';
import { MemoryListReader } from './memory-list.js';

export interface CoreEntityRow {
  readonly id: string;
  readonly address: string;
  readonly publicKey: string;
  readonly isResigned: boolean;
  readonly type: number;
  readonly subType: number;
  /** JSON. */
  readonly data: string;
}

const ENTITIES = `accounts a CROSS JOIN LATERAL json_each(a.attributes::json -> 'entities') e`;

const IS_RESIGNED = `coalesce((e.value ->> 'resigned')::boolean, false)`;
const TYPE = `(e.value ->> 'type')::integer`;
const SUB_TYPE = `(e.value ->> 'subType')::integer`;

const ENTITY = `e.key AS id, a.address, ${hexText('a.public_key')} AS "publicKey", ${IS_RESIGNED} AS "isResigned",
  ${TYPE} AS type, ${SUB_TYPE} AS "subType", (e.value -> 'data')::text AS data`;

/** $1, $2: the head; $3: the id. */
const SELECT_ENTITY = selectAtHead(
  'core-entity',
  `${HAS_DETAILS}, found.*`,
  `LEFT JOIN LATERAL (SELECT ${ENTITY} FROM ${ENTITIES} WHERE a.attributes IS NOT NULL AND e.key = $3 LIMIT 1) found ON true`,
);

/** Entities as nodes of 3.x list them. */
export class CoreEntitiesReader extends MemoryListReader<CoreEntityRow> {
  protected readonly table = {
    shape: {
      fields: {
        id: memoryField('text', 'e.key'),
        publicKey: memoryField('text', hexText('a.public_key')),
        address: memoryField('text', 'a.address'),
        isResigned: memoryField('flag', IS_RESIGNED),
        type: memoryField('number', TYPE),
        subType: memoryField('number', SUB_TYPE),
        'data.name': memoryField('text', `(e.value -> 'data' ->> 'name')`),
        'data.ipfsData': memoryField('text', `(e.value -> 'data' ->> 'ipfsData')`),
      },
    },
    from: ENTITIES,
    keys: 'a.address, e.key',
    inMemory: 'a.number, e.key',
    columns: ENTITY,
    where: 'a.attributes IS NOT NULL',
    needsDetails: true,
    look: `JOIN accounts a ON a.address = p.address
  CROSS JOIN LATERAL (SELECT p.key, a.attributes::json -> 'entities' -> p.key AS value) e`,
  };

  async findEntity(at: BlockRef, id: string): Promise<CoreEntityRow | undefined> {
    return found(assertDetails(await this.rows<CoreEntityRow>(at, SELECT_ENTITY, id)), 'id')[0];
  }
}
