import { CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, oldNumberOf, TransactionType } from '@roundhouse/chain';
import { columnOf, signatureText } from '../sql/table-sql.js';
import { transactions } from '../tables/index.js';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `get_byte` of it gives the value of a digit by the digit's byte. */
const DIGITS = Buffer.alloc(128);
for (const [value, digit] of [...BASE58].entries()) DIGITS[digit.charCodeAt(0)] = value;

/** As many digits as fit into a bigint. */
const PART = 10;
const partValue = Array.from(
  { length: PART },
  (_, place) =>
    `get_byte('\\x${DIGITS.toString('hex')}', get_byte(padded, part * ${PART} + ${place})) * ${58n ** BigInt(PART - 1 - place)}::bigint`,
).join(' + ');

const IS_PURE = 'IMMUTABLE STRICT PARALLEL SAFE';

const byte = (value: string): string => `set_byte('\\x00', 0, (${value})::integer)`;
const little = (value: string, count: number): string =>
  `roundhouse.little_endian((${value})::bigint, ${count})`;
const hex = (text: string): string => `decode(${text}, 'hex')`;
const short = (bytes: string): string => `(${byte(`octet_length(${bytes})`)} || ${bytes})`;
const shortText = (text: string): string => short(`convert_to(coalesce(${text}, ''), 'UTF8')`);
const address = (text: string): string => `substr(roundhouse.base58_bytes(${text}), 1, 21)`;
/** The bytes of each element of a JSON list, `part` and `place`, one after the other. */
const each = (list: string, bytes: string, elements = 'json_array_elements_text'): string =>
  `coalesce((SELECT string_agg(${bytes}, ''::bytea ORDER BY place) FROM ${elements}(${list}) WITH ORDINALITY AS listed (part, place)), '')`;
const count = (list: string): string => byte(`coalesce(json_array_length(${list}), 0)`);

const texts = (of: string, ...names: readonly string[]): string =>
  names.map((name) => shortText(`${of} ->> '${name}'`)).join(' || ');

const members = (of: string, keys: string, lifetime: string, from: number): string =>
  `${byte(`${of} ->> 'min'`)} || ${count(`${of} -> '${keys}'`)}${lifetime} || ${each(`${of} -> '${keys}'`, hex(`substr(part, ${from})`))}`;

const [LEGACY, MEMBERS, LOCK] = ['multiSignatureLegacy', 'multiSignature', 'lock'].map(
  (name) => `(asset -> '${name}')`,
) as [string, string, string];

/** The part of each type of group 1, as the files of `libs/chain/src/types` write it. */
const CORE: Readonly<Record<TransactionType, string>> = {
  [TransactionType.Transfer]: `${little('amount', 8)} || ${little('expiration', 4)} || ${address('recipient')}`,
  [TransactionType.SecondSignature]: hex(`asset ->> 'secondPublicKey'`),
  [TransactionType.DelegateRegistration]: shortText(`asset ->> 'username'`),
  [TransactionType.Vote]: `${count(`asset -> 'votes'`)} || ${each(
    `asset -> 'votes'`,
    `CASE WHEN part LIKE '+%' THEN '\\x01'::bytea ELSE '\\x00' END || ${hex('substr(part, 2)')}`,
  )}`,
  [TransactionType.MultiSignature]: `CASE WHEN version = 1 THEN ${members(LEGACY, 'keysgroup', ` || ${byte(`${LEGACY} ->> 'lifetime'`)}`, 2)}
    ELSE ${members(MEMBERS, 'publicKeys', '', 1)} END`,
  [TransactionType.Ipfs]: `roundhouse.base58_bytes(asset ->> 'ipfs')`,
  [TransactionType.MultiPayment]: `${little(`json_array_length(asset -> 'payments')`, 2)} || ${each(
    `asset -> 'payments'`,
    `${little(`part ->> 1`, 8)} || ${address('part ->> 0')}`,
    'json_array_elements',
  )}`,
  [TransactionType.DelegateResignation]: `''`,
  [TransactionType.HtlcLock]: `${little('amount', 8)} || ${hex(`${LOCK} ->> 'secretHash'`)} || ${byte(`${LOCK} -> 'expiration' ->> 'type'`)}
    || ${little(`${LOCK} -> 'expiration' ->> 'value'`, 4)} || ${address('recipient')}`,
  [TransactionType.HtlcClaim]: `${hex(`asset ->> 'lockTransactionId'`)} || ${hex(`asset ->> 'unlockSecret'`)}`,
  [TransactionType.HtlcRefund]: hex(`asset ->> 'lockTransactionId'`),
};

const other = (name: string): string => `(asset -> 'other' -> '${name}')`;
const business = (name: string): string => texts(other(name), 'name', 'website', 'vat', 'repository');
const seedNodes = (of: string): string =>
  `${count(`${of} -> 'seedNodes'`)} || ${each(`${of} -> 'seedNodes'`, shortText('part'))}`;
/** In the order of the stored text, in which they were signed. */
const ports = (
  of: string,
): string => `(SELECT ${byte('count(*)')} || coalesce(string_agg(${shortText('name')} || ${little('port', 2)}, ''::bytea ORDER BY place), '')
    FROM json_each_text(${of} -> 'ports') WITH ORDINALITY AS listed (name, port, place))`;
const REPOSITORIES = ['bridgechainRepository', 'bridgechainAssetRepository'] as const;
const [REGISTERED, UPDATED] = [other('bridgechainRegistration'), other('bridgechainUpdate')];
const ENTITY = `(asset -> 'other')`;

/** That of each type of group 2. */
const MAGISTRATE: readonly string[] = [
  business('businessRegistration'),
  `''`,
  business('businessUpdate'),
  `${texts(REGISTERED, 'name')} || ${seedNodes(REGISTERED)} || ${hex(`${REGISTERED} ->> 'genesisHash'`)} || ${texts(REGISTERED, ...REPOSITORIES)} || ${ports(REGISTERED)}`,
  hex(`${other('bridgechainResignation')} ->> 'bridgechainId'`),
  `${hex(`${UPDATED} ->> 'bridgechainId'`)} || ${seedNodes(UPDATED)} || ${ports(UPDATED)} || ${texts(UPDATED, ...REPOSITORIES)}`,
  `${['type', 'subType', 'action'].map((name) => byte(`${ENTITY} ->> '${name}'`)).join(' || ')}
    || ${short(hex(`coalesce(${ENTITY} ->> 'registrationId', '')`))} || ${texts(`${ENTITY} -> 'data'`, 'name', 'ipfsData')}`,
];

const casesOf = (parts: readonly string[]): string =>
  `CASE type ${parts.map((part, type) => `WHEN ${type} THEN ${part}`).join('\n  ')} END`;

/** What makes the bytes of a transaction. Their bodies are read when they are created, so a reader needs no right on the schema. */
export const SERIALISERS = `
CREATE OR REPLACE FUNCTION roundhouse.little_endian(value bigint, count integer) RETURNS bytea LANGUAGE sql ${IS_PURE}
BEGIN ATOMIC
  SELECT substr(${[8, 7, 6, 5, 4, 3, 2, 1].map((place) => `substr(int8send(value), ${place}, 1)`).join(' || ')}, 1, count);
END;
CREATE OR REPLACE FUNCTION roundhouse.base58_bytes(digits text) RETURNS bytea LANGUAGE plpgsql ${IS_PURE} AS $$
DECLARE
  parts integer := (length(digits) + ${PART - 1}) / ${PART};
  padded bytea := lpad(digits, parts * ${PART}, '1')::bytea;
  value numeric := 0;
  hex text := '';
BEGIN
  FOR part IN 0..parts - 1 LOOP
    value := value * ${58n ** BigInt(PART)} + (${partValue});
  END LOOP;
  WHILE value > 0 LOOP
    hex := lpad(to_hex(mod(value, ${2n ** 56n})::bigint), 14, '0') || hex;
    value := div(value, ${2n ** 56n});
  END LOOP;
  hex := ltrim(hex, '0');
  RETURN decode(repeat('00', length(digits) - length(ltrim(digits, '1'))) || repeat('0', length(hex) % 2) || hex, 'hex');
END
$$;
`;

/** Not a function: each call of one would prepare all subqueries again. */
const PAYLOAD = `CASE type_group WHEN ${CORE_TYPE_GROUP} THEN ${casesOf(Object.values(CORE))}
  WHEN ${MAGISTRATE_TYPE_GROUP} THEN ${casesOf(MAGISTRATE)} END`;

/** Core 2.4 and 2.5 signed their own number of a type, and a timestamp. They had no other types. */
const HEADER = `CASE WHEN t.nonce IS NOT NULL THEN ${little('t.type_group', 4)} || ${little('t.type', 2)} || ${little('t.nonce', 8)}
    WHEN t.type_group = ${CORE_TYPE_GROUP} AND (t.type < ${TransactionType.MultiPayment} OR t.type = ${TransactionType.DelegateResignation})
    THEN ${byte(`CASE t.type WHEN ${TransactionType.DelegateResignation} THEN ${oldNumberOf(TransactionType.DelegateResignation)} ELSE t.type END`)} || ${little('coalesce(t."timestamp", 0)', 4)} END`;

const HAS_VENDOR_FIELD = `t.type_group = ${CORE_TYPE_GROUP} AND t.type IN (${[TransactionType.Transfer, TransactionType.MultiPayment, TransactionType.HtlcLock].join(', ')})`;

const VERSION = columnOf('t', transactions, 'version');
const signature = (bytes: string): string => `coalesce(${hex(`(${signatureText(bytes)})`)}, '')`;

/**
 * SQL of the column `serialized` of the transaction `t`: the same bytes as `storedBytes` of `libs/blocks` makes. An unknown type
 * has null.
 */
export const serialisedOf = (
  sender: string,
  recipient: string,
): string => `('\\xff'::bytea || ${byte(VERSION)}
  || ${byte(`coalesce(t.network, (SELECT (configuration #>> '{network,pubKeyHash}')::integer FROM network))`)} || ${HEADER} || ${sender}
  || ${little('t.fee', 8)} || CASE WHEN ${HAS_VENDOR_FIELD} AND t.vendor_field IS NOT NULL THEN ${short('t.vendor_field')} ELSE '\\x00' END
  || (SELECT ${PAYLOAD} FROM (SELECT t.type_group, t.type, ${VERSION} AS version, t.amount, coalesce(t.expiration, 0) AS expiration, ${recipient} AS recipient, t.asset) AS paid)
  || ${signature('t.signature')} || ${signature('t.second_signature')}
  || coalesce((SELECT string_agg(bytes, ''::bytea ORDER BY place) FROM unnest(t.signatures) WITH ORDINALITY AS listed (bytes, place)), ''))`;
