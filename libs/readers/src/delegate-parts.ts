import { bytesOf } from '@roundhouse/entities/tables';

// What several readers say of delegates `d`, or of rows `r` of them.

/** A delegate by one of its names, or by both. */
export interface DelegateName {
  readonly publicKey?: string | undefined;
  readonly username?: string | undefined;
}

/** The names as two parameters. */
export const nameValues = ({ publicKey, username }: DelegateName): [Buffer | null, string | null] => [
  publicKey === undefined ? null : bytesOf('hex', publicKey),
  username ?? null,
];

/** SQL of the delegate `d` that was registered up to `height`. Its names are the two values of `nameValues`. */
export const delegateBy = (publicKey: string, username: string, height: string): string =>
  `LEFT JOIN delegates d ON (d.public_key = ${publicKey} OR d.username = ${username}) AND d.registered_height <= ${height}`;

/** SQL: whether the name of the delegate `d` contains `text`, ignoring ASCII case: lower() in COLLATE "C" changes no other. */
export const nameContains = (text: string): string =>
  `strpos(lower(d.username), (SELECT lower(${text} COLLATE "C"))) > 0`;

/** Fields of a delegate. */
export const BLOCK_COUNTS = {
  producedblocks: ['integer', 'r.produced_blocks'],
  missedblocks: ['integer', 'r.missed_blocks'],
} as const;

/** What a delegate has forged. */
export const FORGED = {
  ...BLOCK_COUNTS,
  fees: ['integer', 'r.forged_fees'],
  rewards: ['integer', 'r.forged_rewards'],
  forged: ['integer', 'r.forged_fees + r.forged_rewards'],
} as const;
