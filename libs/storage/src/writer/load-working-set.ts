import {
  newAccount,
  touchedKeys,
  type Account,
  type Block,
  type HtlcLock,
  type Ledger,
  type Lock,
} from '@roundhouse/chain';
import { accounts, locks } from '@roundhouse/entities/tables';
import { byteaText, hexText, selectFrom } from '@roundhouse/entities/sql';

/** Returns a statement's rows, as `queryRows` does. */
export type ReadRows = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

const SELECT_ACCOUNTS = `${selectFrom(accounts)} WHERE address = ANY($1::text[])`;

const SELECT_LOCKS = `${selectFrom(locks)} WHERE transaction_id = ANY($1::bytea[])`;

/** What their own transactions say about them. A replay's other tables are not public. */
const SELECT_LOCK_TERMS = `
SELECT ${hexText('id')} AS id, asset -> 'lock' AS terms FROM roundhouse.transactions WHERE id = ANY($1::bytea[])`;

interface TermsRow {
  readonly id: string;
  readonly terms: HtlcLock;
}

const loadLocks = async (read: ReadRows, ledger: Ledger, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const keys = ids.map((id) => byteaText('hex', id));
  for (const lock of await read<Lock>(SELECT_LOCKS, [keys])) ledger.locks.set(lock.transactionId, lock);
  for (const { id, terms } of await read<TermsRow>(SELECT_LOCK_TERMS, [keys]))
    if (ledger.locks.has(id)) ledger.lockTerms.set(id, terms);
};

const loadAccounts = async (read: ReadRows, ledger: Ledger, addresses: readonly string[]): Promise<void> => {
  if (addresses.length === 0) return;
  const absent = new Set(addresses);
  for (const account of await read<Account>(SELECT_ACCOUNTS, [addresses])) {
    absent.delete(account.address);
    ledger.loadAccount(account, true);
  }
  for (const address of absent) ledger.loadAccount(newAccount(address), false);
};

/** For a ledger that does not hold all: loads what `blocks` will touch and it lacks, first open locks, then accounts. */
export const loadWorkingSet = async (
  read: ReadRows,
  ledger: Ledger,
  blocks: readonly Block[],
): Promise<void> => {
  const { addresses, lockIds } = touchedKeys(blocks, ledger.addresses);
  const wanted = new Set(addresses);
  await loadLocks(
    read,
    ledger,
    [...lockIds].filter((id) => !ledger.knowsLock(id)),
  );
  for (const id of lockIds) {
    const lock = ledger.locks.get(id);
    if (lock) wanted.add(lock.senderAddress).add(lock.recipientAddress);
  }
  await loadAccounts(
    read,
    ledger,
    [...wanted].filter((address) => !ledger.accounts.has(address)),
  );
};
