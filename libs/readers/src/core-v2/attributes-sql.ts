import {
  attributesOf,
  delegateAttribute,
  hexText,
  HTLC,
  JOIN_RANKED,
  MULTI_SIGNATURE,
  STORED_ATTRIBUTES,
} from '@roundhouse/entities/sql';
import type { FreeField } from './memory-criteria.js';

const AMOUNTS =
  /^(delegate\.(voteBalance|forgedFees|forgedRewards)|htlc\.lockedBalance|htlc\.locks\.[^.]+\.amount)$/;

const PARTS: Readonly<Record<string, { readonly sql: string; readonly join?: string }>> = {
  delegate: { sql: `(${delegateAttribute('d.rank')})`, join: JOIN_RANKED },
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
      sql: ['business', 'entities', 'ipfs'].includes(name)
        ? `(${STORED_ATTRIBUTES} -> '${name}')`
        : 'NULL::jsonb',
    },
  isAmount: (path) => AMOUNTS.test(path.join('.')),
};
