import { membersOf, type Account, type BlockRef } from '@roundhouse/chain';
import { accounts } from '@roundhouse/entities/tables';
import { hexText } from '@roundhouse/entities/sql';
import { found, MOST_ROWS, pageOf, Reader, selectAtHead, type NamedQuery } from './at-head.js';
import type { ForgedTotals } from './delegates.reader.js';

/** The delegate that an account has registered; amounts in arktoshi. */
interface DelegateOfAccount extends ForgedTotals {
  readonly username: string;
  readonly weight: bigint;
  readonly isResigned: boolean;
  readonly producedblocks: number;
  readonly missedblocks: number;
  readonly forged: bigint;
}

export interface AccountRecord extends Omit<Account, 'multiSignature'> {
  readonly multiSignature: ReturnType<typeof membersOf> | null;
  readonly delegate: DelegateOfAccount | null;
}

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
  'd.username, d.weight, d.is_resigned AS "isResigned", d.produced_blocks AS producedblocks',
  'd.missed_blocks AS missedblocks, d.forged_fees AS fees, d.forged_rewards AS rewards',
  'd.forged_fees + d.forged_rewards AS forged',
].join(', ');

const selectAccounts = (name: string, rows: string, order?: string) => {
  const joins = `LEFT JOIN LATERAL (${rows}) a ON true LEFT JOIN delegates d ON d.address = a.address`;
  return selectAtHead(name, COLUMNS, joins, order);
};

/** $1, $2: the head; $3: the address, or null; $4: the username of its delegate, or null. */
const SELECT_ACCOUNT = selectAccounts(
  'account',
  `SELECT * FROM accounts WHERE address = coalesce($3::text, (SELECT address FROM delegates WHERE username = $4))`,
);

const BY_BALANCE = 'balance DESC, number';

const part = (where: string, order: string): string =>
  `(SELECT * FROM (SELECT * FROM accounts WHERE ${where} ORDER BY ${order} LIMIT $5::integer) p LIMIT ${MOST_ROWS})`;

// Two parts, each a range of ix_accounts__balance: the rest of the accounts with that balance, and those with less.
/** $1, $2: the head; $3, $4: the balance and the number that the page begins below; $5: the most rows. */
const SELECT_ACCOUNTS = selectAccounts(
  'accounts-by-balance',
  `SELECT * FROM (
  ${part('balance = $3::bigint AND number > $4::integer', 'number')}
  UNION ALL
  ${part('balance < $3::bigint', BY_BALANCE)}
) p ORDER BY ${BY_BALANCE} LIMIT $5::integer`,
  'ORDER BY a.balance DESC, a.number',
);

// In the column's collation, '~' sorts after every character of an address.
/** $1, $2: the head; $3: the beginning of the address; $4: the most rows. */
const SEARCH_ACCOUNTS = selectAccounts(
  'accounts-search',
  `SELECT * FROM accounts WHERE address >= $3::text AND address < $3::text || '~' ORDER BY address LIMIT $4::integer`,
  'ORDER BY a.address',
);

type AccountRow = Account & ({ readonly username: null } | DelegateOfAccount);

export class AccountsReader extends Reader {
  async findAccount(at: BlockRef, by: { readonly address?: string; readonly username?: string }) {
    return (await this.accounts(at, SELECT_ACCOUNT, by.address ?? null, by.username ?? null)).at(0);
  }

  /** The largest balance first; of equal balances, the smallest number first. The time does not depend on the place. */
  async listAccounts(at: BlockRef, { balance, number }: PlaceByBalance, limit: number) {
    const rows = await this.accounts(at, SELECT_ACCOUNTS, String(balance), number, limit + 1);
    const { shown: accounts, last: next } = pageOf(rows, limit);
    return { accounts, next };
  }

  /** Accounts whose address begins with this text, by address. */
  searchAccounts(at: BlockRef, beginning: string, limit: number): Promise<AccountRecord[]> {
    return this.accounts(at, SEARCH_ACCOUNTS, beginning, limit);
  }

  private async accounts(at: BlockRef, query: NamedQuery, ...values: unknown[]): Promise<AccountRecord[]> {
    const rows = await this.rows<AccountRow>(at, query, ...values);
    return found(rows, 'address').map((row) => ({
      ...row,
      multiSignature: row.multiSignature === null ? null : membersOf(row.multiSignature),
      delegate: row.username === null ? null : row,
    }));
  }
}
