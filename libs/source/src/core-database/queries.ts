import { MAGISTRATE_TYPE_GROUP } from '@roundhouse/chain';

/** The columns that differ between the lines of Core. */
export interface TransactionColumns {
  /** True from Core 2.6 on. */
  readonly hasTypeGroup: boolean;
}

/** From the catalogue, which also lists what the user may not read. */
export const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS "column", has_column_privilege(c.oid, a.attnum, 'SELECT') AS "isReadable"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.oid IN (to_regclass('blocks'), to_regclass('transactions')) AND a.attnum > 0 AND NOT a.attisdropped`;

/** Schemas on the search path that hold the tables, but that the user has no right to use. */
export const CLOSED_SCHEMAS = `
  SELECT DISTINCT n.nspname AS "schema" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname IN ('blocks', 'transactions') AND c.relkind IN ('r', 'p', 'v', 'm')
    AND NOT has_schema_privilege(n.oid, 'USAGE')`;

export const TIP = `SELECT height, id FROM blocks ORDER BY height DESC LIMIT 1`;

/**
 * A transaction of a sister chain that would be applied wrongly: a vote by username, and in type group 2, which has
 * businesses on ARK, Solar's votes with shares and its burned tokens. The types have an index.
 */
export const FOREIGN_TRANSACTION = `
  SELECT id, type, type_group AS "typeGroup" FROM transactions
  WHERE (type = 3 AND type_group = 1 AND asset->'votes'->>0 !~* '^[+-]0[23][0-9a-f]{64}$')
    OR (type = 2 AND type_group = ${MAGISTRATE_TYPE_GROUP} AND asset ? 'votes')
    OR (type = 0 AND type_group = ${MAGISTRATE_TYPE_GROUP} AND NOT coalesce(asset ? 'businessRegistration', false))
  LIMIT 1`;

// bigint arrives as text. The names are those of raw JSON, so that one decoder reads both.
export const HEADERS = `
  SELECT id, version, "timestamp", height, previous_block AS "previousBlock",
    number_of_transactions AS "numberOfTransactions", total_amount AS "totalAmount", total_fee AS "totalFee", reward,
    payload_length AS "payloadLength", payload_hash AS "payloadHash",
    generator_public_key AS "generatorPublicKey", block_signature AS "blockSignature"
  FROM blocks WHERE height BETWEEN $1 AND $2 ORDER BY height LIMIT $2::integer - $1::integer + 1`;

/**
 * What identifies a transaction, and `serialized`, which holds all its fields. The sender's timestamp, the signatures,
 * the expiration and, on line 2.4, the vendor field are not in the other columns, or are there in another form. If the
 * type is unknown here, only the header of `serialized` is read.
 */
const fieldsOf = ({
  hasTypeGroup,
}: TransactionColumns): readonly (readonly [name: string, value: string])[] => [
  ['id', 't.id'],
  ...(hasTypeGroup ? ([['typeGroup', 't.type_group']] as const) : []),
  ['serialized', "encode(t.serialized, 'hex')"],
  ['recipientId', 't.recipient_id'],
  ['amount', 't.amount::text'],
  [
    'asset',
    hasTypeGroup ? `CASE WHEN t.type_group > ${MAGISTRATE_TYPE_GROUP} THEN t.asset::text END` : 'NULL',
  ],
];

/** The transactions of blocks $1 to $2, $3 at most. */
export const transactionsQuery = (columns: TransactionColumns): string => `
  SELECT b.height AS "blockHeight", ${fieldsOf(columns)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(', ')}
  FROM blocks b JOIN transactions t ON t.block_id = b.id
  WHERE b.height BETWEEN $1 AND $2 ORDER BY b.height, t.sequence LIMIT $3`;

/**
 * The blocks of a range as archive lines, oldest first, and their count. The server builds the lines, so that a
 * segment arrives as one value and any thread can decode it. Amounts are text; an asset keeps its digits.
 */
export const linesQuery = (columns: TransactionColumns): string => `
  SELECT count(*)::integer AS count, string_agg(line::text, E'\\n' ORDER BY height) AS lines FROM (
    SELECT b.height, json_build_object(
      'id', b.id, 'version', b.version, 'timestamp', b."timestamp", 'height', b.height,
      'previousBlock', b.previous_block, 'numberOfTransactions', b.number_of_transactions,
      'totalAmount', b.total_amount::text, 'totalFee', b.total_fee::text, 'reward', b.reward::text,
      'payloadLength', b.payload_length, 'payloadHash', b.payload_hash,
      'generatorPublicKey', b.generator_public_key, 'blockSignature', b.block_signature,
      'transactions', coalesce(t.list, '[]')) AS line
    FROM blocks b LEFT JOIN (
      SELECT t.block_id, json_agg(json_build_object(${fieldsOf(columns)
        .map(([name, value]) => `'${name}', (${value})${name === 'asset' ? '::json' : ''}`)
        .join(', ')}) ORDER BY t.sequence) AS list
      FROM blocks b JOIN transactions t ON t.block_id = b.id
      WHERE b.height BETWEEN $1 AND $2 GROUP BY t.block_id
    ) t ON t.block_id = b.id
    WHERE b.height BETWEEN $1 AND $2
  ) blocks`;
