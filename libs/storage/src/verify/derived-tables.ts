/** A table that the stored blocks determine. */
export interface DerivedTable {
  readonly table: string;
  readonly key: readonly string[];
  /** All that the blocks determine, the key among it. */
  readonly columns: readonly string[];
}

/** Empty in an index that was begun by a version that did not keep them. */
export const DIGEST_TABLES: readonly DerivedTable[] = [
  {
    table: 'round_digests',
    key: ['round'],
    columns: ['round', 'height', 'accounts', 'delegates', 'locks', 'digest'],
  },
  {
    table: 'state_sums',
    key: ['height'],
    columns: ['height', 'block_id', 'accounts', 'delegates', 'locks'],
  },
];

export const DERIVED_TABLES: readonly DerivedTable[] = [
  {
    table: 'head',
    key: ['id'],
    columns: ['id', 'height', 'block_id', '"timestamp"', 'supply', 'delegate_count'],
  },
  {
    table: 'accounts',
    key: ['address'],
    columns: ['address', 'public_key', 'balance', 'locked', 'vote'],
  },
  {
    table: 'delegates',
    key: ['public_key'],
    columns: [
      ...['public_key', 'address', 'username', 'weight', 'is_resigned', 'produced_blocks', 'missed_blocks'],
      ...['forged_fees', 'forged_rewards', 'registered_height', 'registered_sequence'],
    ],
  },
  {
    table: 'locks',
    key: ['transaction_id'],
    columns: ['transaction_id', 'sender_address', 'recipient_address', 'amount'],
  },
  { table: 'rounds', key: ['round'], columns: ['round', 'first_height', 'forging_order'] },
  {
    table: 'undo_accounts',
    key: ['height', 'address'],
    columns: ['height', 'address', 'existed', 'public_key', 'balance', 'locked', 'vote'],
  },
  {
    table: 'undo_delegates',
    key: ['height', 'public_key'],
    columns: [
      ...['height', 'public_key', 'existed', 'weight', 'is_resigned', 'produced_blocks', 'missed_blocks'],
      ...['forged_fees', 'forged_rewards'],
    ],
  },
  {
    table: 'undo_locks',
    key: ['height', 'transaction_id'],
    columns: ['height', 'transaction_id', 'existed', 'sender_address', 'recipient_address', 'amount'],
  },
  ...DIGEST_TABLES,
];
