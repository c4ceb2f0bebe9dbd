import type { Account, BlockRef } from '@roundhouse/chain';
import { accounts } from '@roundhouse/entities/tables';
import { hexText } from '@roundhouse/entities/sql';
import { atHead, rowsAtHead } from './at-head.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

/** The delegate that an account has registered. */
export interface DelegateOfAccount {
  readonly username: string;
  /** Arktoshi, like the next two. */
  readonly weight: bigint;
  readonly forgedFees: bigint;
  readonly forgedRewards: bigint;
  readonly isResigned: boolean;
  readonly producedBlocks: number;
  readonly missedBlocks: number;
}

export interface AccountRecord extends Account {
  readonly delegate: DelegateOfAccount | null;
}

/** A place in the list of accounts. */
export interface PlaceByBalance {
  /** Arktoshi. */
  readonly balance: bigint;
  /** That of the account. */
  readonly number: number;
}

const COLUMNS = [
  ...accounts.columns.map(({ name, property, form }) =>
    form === undefined ? `a.${name} AS "${property}"` : `${hexText(`a.${name}`)} AS "${property}"`,
  ),
  'd.username, d.weight, d.is_resigned AS "isResigned", d.produced_blocks AS "producedBlocks"',
  'd.missed_blocks AS "missedBlocks", d.forged_fees AS "forgedFees", d.forged_rewards AS "forgedRewards"',
].join(', ');

const withDelegates = (rows: string): string => `LEFT JOIN LATERAL (${rows}) a ON true
LEFT JOIN delegates d ON d.address = a.address`;

/** $1, $2: the head; $3: the address, or null; $4: the username of its delegate, or null. */
const SELECT_ACCOUNT: NamedQuery = {
  name: 'account',
  text: atHead(
    COLUMNS,
    withDelegates(
      `SELECT * FROM accounts WHERE address = coalesce($3::text, (SELECT address FROM delegates WHERE username = $4))`,
    ),
  ),
};

const BY_BALANCE = 'balance DESC, number';

// Literal limits, because the planner assumes a tenth of the table for a parameter.
const MOST_ROWS = 101;
const part = (where: string, order: string): string =>
  `(SELECT * FROM (SELECT * FROM accounts WHERE ${where} ORDER BY ${order} LIMIT $5::integer) p LIMIT ${MOST_ROWS})`;

// Two parts, each a range of ix_accounts__balance: the rest of the accounts with that balance, and those with less.
/** $1, $2: the head; $3, $4: the balance and the number that the page begins below; $5: the most rows. */
const SELECT_ACCOUNTS: NamedQuery = {
  name: 'accounts-by-balance',
  text: `${atHead(
    COLUMNS,
    withDelegates(`SELECT * FROM (
  ${part('balance = $3::bigint AND number > $4::integer', 'number')}
  UNION ALL
  ${part('balance < $3::bigint', BY_BALANCE)}
) p ORDER BY ${BY_BALANCE} LIMIT $5::integer`),
  )}
ORDER BY a.balance DESC, a.number`,
};

/** $1, $2: the head; $3: the beginning of the address; $4: the most rows. */
const SEARCH_ACCOUNTS: NamedQuery = {
  name: 'accounts-search',
  text: `${atHead(
    COLUMNS,
    // In the column's collation, '~' sorts after every character of an address.
    withDelegates(
      `SELECT * FROM accounts WHERE address >= $3::text AND address < $3::text || '~' ORDER BY address LIMIT $4::integer`,
    ),
  )}
ORDER BY a.address`,
};

/** A row of nulls if there is no account. */
type AccountRow = Account & ({ readonly username: null } | DelegateOfAccount);

const accountOf = (row: AccountRow): AccountRecord => ({
  ...row,
  delegate: row.username === null ? null : row,
});

const accountsOf = (rows: readonly AccountRow[]): AccountRecord[] =>
  rows.filter(({ address }) => (address as string | null) !== null).map(accountOf);

/** Accounts as rows. Every method throws `HeadPassedError`. */
export class AccountsReader {
  constructor(private readonly pool: ReaderPool) {}

  async findAccount(
    at: BlockRef,
    by: { readonly address: string } | { readonly username: string },
  ): Promise<AccountRecord | null> {
    const values = 'address' in by ? [by.address, null] : [null, by.username];
    return accountsOf(await rowsAtHead<AccountRow>(this.pool, at, SELECT_ACCOUNT, values))[0] ?? null;
  }

  /** The largest balance first; of equal balances, the smallest number first. The time does not depend on the place. */
  async listAccounts(at: BlockRef, below: PlaceByBalance, limit: number): Promise<AccountRecord[]> {
    const values = [String(below.balance), below.number, limit];
    return accountsOf(await rowsAtHead<AccountRow>(this.pool, at, SELECT_ACCOUNTS, values));
  }

  /** Accounts whose address begins with this text, by address. */
  async searchAccounts(at: BlockRef, beginning: string, limit: number): Promise<AccountRecord[]> {
    return accountsOf(await rowsAtHead<AccountRow>(this.pool, at, SEARCH_ACCOUNTS, [beginning, limit]));
  }
}
