import { blockIdText, hexText } from './table-sql.js';

/**
 * Delegates `d` with their ranks, by which a restarted node counts them: resigned ones have none. By weight first, because PostgreSQL
 * sorts by a number in half the time.
 */
export const RANKED = `(SELECT d.*, CASE WHEN NOT d.is_resigned THEN count(*) FILTER (WHERE NOT d.is_resigned)
  OVER (ORDER BY d.weight DESC, d.public_key ROWS UNBOUNDED PRECEDING) END AS rank FROM delegates d)`;

/** The rank of one delegate `d`. */
export const RANK = `CASE WHEN NOT d.is_resigned THEN (SELECT count(*) + 1 FROM delegates better
  WHERE NOT better.is_resigned AND (better.weight > d.weight OR (better.weight = d.weight AND better.public_key < d.public_key))) END`;

/** The same of several delegates: all are sorted once, and only if one is asked for. */
const RANK_OF_SEVERAL = `CASE WHEN NOT d.is_resigned THEN array_position((
  SELECT array_agg(public_key ORDER BY weight DESC, public_key) FROM delegates WHERE NOT is_resigned), d.public_key) END`;

/** Joins `last`, the block that the delegate `d` forged last, of those that fulfil the condition. */
export const lastBlockIf = (condition: string): string => `LEFT JOIN LATERAL (
  SELECT b.height, b.id, b."timestamp" FROM blocks b
  WHERE b.generator = (SELECT number FROM public_keys WHERE value = d.public_key) AND ${condition}
  ORDER BY (b.height >> 10) DESC, b.height DESC LIMIT 1) last ON d.produced_blocks > 0`;

export const LAST_BLOCK = lastBlockIf('true');

export const LAST_ID = blockIdText('last.id');

// The attributes of a wallet `a` as a restarted node has them, as jsonb.

export const delegateAttribute = (
  rank: string,
): string => `CASE WHEN d.public_key IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
  'username', d.username, 'voteBalance', d.weight::text, 'forgedFees', d.forged_fees::text,
  'forgedRewards', d.forged_rewards::text, 'producedBlocks', d.produced_blocks, 'rank', ${rank},
  'resigned', CASE WHEN d.is_resigned THEN true END,
  'lastBlock', CASE WHEN last.height IS NOT NULL THEN jsonb_build_object('id', ${LAST_ID}, 'height', last.height,
    'generatorPublicKey', ${hexText('d.public_key')}, 'timestamp', last."timestamp") END)) END`;

/** Joins what the attributes of few wallets need. */
export const LOOK_DELEGATE = `LEFT JOIN delegates d ON d.address = a.address ${LAST_BLOCK}`;

/** The same for many wallets: all ranks are counted at once. */
export const JOIN_RANKED = `LEFT JOIN ${RANKED} d ON d.address = a.address ${LAST_BLOCK}`;

const MEMBERS = `(SELECT jsonb_agg(${hexText('substr(a.multi_signature, 2 + 33 * place, 33)')} ORDER BY place)
  FROM generate_series(0, (octet_length(a.multi_signature) - 1) / 33 - 1) AS place)`;

export const STORED_ATTRIBUTES = `coalesce(a.attributes::jsonb, '{}')`;

/** A legacy registration is stored with the attributes. */
export const MULTI_SIGNATURE = `coalesce(${STORED_ATTRIBUTES} -> 'multiSignature', CASE WHEN a.multi_signature IS NOT NULL THEN
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

export const HTLC = `CASE WHEN a.locked <> 0 THEN (SELECT jsonb_build_object('lockedBalance', a.locked::text, 'locks', jsonb_object_agg(
    ${hexText('l.transaction_id')}, jsonb_strip_nulls(jsonb_build_object('amount', l.amount::text,
      'recipientId', l.recipient_address, 'timestamp', b."timestamp", 'vendorField', ${RESTARTED_VENDOR_FIELD},
      'secretHash', t.asset -> 'lock' ->> 'secretHash', 'expiration', t.asset -> 'lock' -> 'expiration'))))
  FROM locks l JOIN transactions t ON t.id = l.transaction_id JOIN blocks b ON b.height = t.block_height
  WHERE l.sender_address = a.address HAVING count(*) > 0) END`;

export const attributesOf = (rank: string): string => `(jsonb_strip_nulls(jsonb_build_object(
  'delegate', ${delegateAttribute(rank)}, 'vote', ${hexText('a.vote')}, 'secondPublicKey', ${hexText('a.second_public_key')},
  'multiSignature', ${MULTI_SIGNATURE}, 'htlc', ${HTLC})) || (${STORED_ATTRIBUTES} - 'multiSignature'))`;

/** With `LOOK_DELEGATE`. */
export const ATTRIBUTES = attributesOf(RANK);

/** The same for a page of wallets. */
export const ATTRIBUTES_OF_SEVERAL = attributesOf(RANK_OF_SEVERAL);
