import { hexText } from '@roundhouse/entities/sql';
import { LAST_BLOCK, LAST_ID, RANK, RANKED } from './delegate-sql.js';
import type { FreeField } from './memory-criteria.js';

// The attributes of a wallet `a` as a restarted node has them, as jsonb.

const delegateOf = (
  rank: string,
): string => `CASE WHEN d.public_key IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
  'username', d.username, 'voteBalance', d.weight::text, 'forgedFees', d.forged_fees::text,
  'forgedRewards', d.forged_rewards::text, 'producedBlocks', d.produced_blocks, 'rank', ${rank},
  'resigned', CASE WHEN d.is_resigned THEN true END,
  'lastBlock', CASE WHEN last.height IS NOT NULL THEN jsonb_build_object('id', ${LAST_ID}, 'height', last.height,
    'generatorPublicKey', ${hexText('d.public_key')}, 'timestamp', last."timestamp") END)) END`;

const JOIN_LAST = `${LAST_BLOCK}`;
const JOIN_RANKED = `LEFT JOIN ${RANKED} d ON d.address = a.address ${JOIN_LAST}`;

/** Joins what the attributes of few wallets need. */
export const LOOK_DELEGATE = `LEFT JOIN delegates d ON d.address = a.address ${JOIN_LAST}`;

const MEMBERS = `(SELECT jsonb_agg(${hexText('substr(a.multi_signature, 2 + 33 * place, 33)')} ORDER BY place)
  FROM generate_series(0, (octet_length(a.multi_signature) - 1) / 33 - 1) AS place)`;

const STORED = `coalesce(a.attributes::jsonb, '{}')`;

/** A legacy registration is stored with the attributes. */
const MULTI_SIGNATURE = `coalesce(${STORED} -> 'multiSignature', CASE WHEN a.multi_signature IS NOT NULL THEN
  jsonb_build_object('publicKeys', ${MEMBERS}, 'min', get_byte(a.multi_signature, 0)) END)`;

/** One character of UTF-8 in hexadecimal digits; or bytes for which JavaScript shows U+FFFD, as for NUL, which jsonb cannot hold. */
const TAIL = '[89ab][0-9a-f]';
const CHARACTERS = [
  '(?!00)[0-7][0-9a-f]',
  `(?:c[2-9a-f]|d[0-9a-f])${TAIL}`,
  `(?:e0[ab][0-9a-f]|e[1-9a-cef]${TAIL}|ed[89][0-9a-f])${TAIL}`,
  `(?:f0[9ab][0-9a-f]|f[1-3]${TAIL}|f48[0-9a-f])${TAIL}${TAIL}`,
].join('|');
const BROKEN = [
  `(?:f0[9ab][0-9a-f]|f[1-3]${TAIL}|f48[0-9a-f])(?:${TAIL})?`,
  `e0[ab][0-9a-f]|e[1-9a-cef]${TAIL}|ed[89][0-9a-f]`,
  '[0-9a-f]{2}',
].join('|');

/** SQL of the text of these bytes, given in hexadecimal digits. */
const utf8Text = (digits: string): string => `(SELECT coalesce(string_agg(
  CASE WHEN part[1] IS NULL THEN chr(65533) ELSE convert_from(decode(part[1], 'hex'), 'UTF8') END, '' ORDER BY place), '')
  FROM regexp_matches(${digits}, '(${CHARACTERS})|(?:${BROKEN})', 'g') WITH ORDINALITY AS read (part, place))`;

/** SQL of the vendor field of the lock `t`, which a restarted node reads as hexadecimal digits: up to the first character that is none. */
export const RESTARTED_VENDOR_FIELD = `CASE WHEN t.vendor_field IS NOT NULL THEN
  ${utf8Text("lower(coalesce(substring(encode(t.vendor_field, 'escape') FROM '^(?:[0-9a-fA-F]{2})+'), ''))")} END`;

const HTLC = `(SELECT jsonb_build_object('lockedBalance', a.locked::text, 'locks', jsonb_object_agg(
    ${hexText('l.transaction_id')}, jsonb_strip_nulls(jsonb_build_object('amount', l.amount::text,
      'recipientId', l.recipient_address, 'timestamp', b."timestamp", 'vendorField', ${RESTARTED_VENDOR_FIELD},
      'secretHash', t.asset -> 'lock' ->> 'secretHash', 'expiration', t.asset -> 'lock' -> 'expiration'))))
  FROM locks l JOIN transactions t ON t.id = l.transaction_id JOIN blocks b ON b.height = t.block_height
  WHERE l.sender_address = a.address HAVING count(*) > 0)`;

const attributesOf = (rank: string): string => `(jsonb_strip_nulls(jsonb_build_object(
  'delegate', ${delegateOf(rank)}, 'vote', ${hexText('a.vote')}, 'secondPublicKey', ${hexText('a.second_public_key')},
  'multiSignature', ${MULTI_SIGNATURE}, 'htlc', ${HTLC})) || (${STORED} - 'multiSignature'))`;

/** With `LOOK_DELEGATE`. */
export const ATTRIBUTES = attributesOf(RANK);

const AMOUNTS =
  /^(delegate\.(voteBalance|forgedFees|forgedRewards)|htlc\.lockedBalance|htlc\.locks\.[^.]+\.amount)$/;

const PARTS: Readonly<Record<string, { readonly sql: string; readonly join?: string }>> = {
  delegate: { sql: `(${delegateOf('d.rank')})`, join: JOIN_RANKED },
  vote: { sql: `to_jsonb(${hexText('a.vote')})` },
  secondPublicKey: { sql: `to_jsonb(${hexText('a.second_public_key')})` },
  multiSignature: { sql: `(${MULTI_SIGNATURE})` },
  htlc: { sql: HTLC },
  '*': { sql: attributesOf('d.rank'), join: JOIN_RANKED },
};

/** The attributes as criteria and orders see them. */
export const FREE_ATTRIBUTES: FreeField = {
  // Only these are stored besides; nothing else can be in what a client sends.
  member: (name) =>
    (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined) ?? {
      sql: ['business', 'entities', 'ipfs'].includes(name) ? `(${STORED} -> '${name}')` : 'NULL::jsonb',
    },
  isAmount: (path) => AMOUNTS.test(path.join('.')),
};
