import { touchedKeys, type Ledger, type LedgerBlock } from '@roundhouse/chain';
import type { QueryResult, QueryResultRow } from 'pg';
import { SELECT_ACCOUNTS, SELECT_LOCKS } from './queries.js';

/** Runs one statement on the connection that the tables are read by. */
export type RunQuery = <Row extends QueryResultRow>(
  sql: string,
  values: unknown[],
) => Promise<QueryResult<Row>>;

interface AccountRow {
  address: string;
  public_key: string | null;
  balance: string;
  locked: string;
  vote: string | null;
}

interface LockRow {
  transaction_id: string;
  sender_address: string;
  recipient_address: string;
  amount: string;
}

const loadLocks = async (query: RunQuery, ledger: Ledger, ids: readonly string[]): Promise<LockRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await query<LockRow>(SELECT_LOCKS, [ids]);
  for (const row of rows) {
    ledger.locks.set(row.transaction_id, {
      transactionId: row.transaction_id,
      senderAddress: row.sender_address,
      recipientAddress: row.recipient_address,
      amount: BigInt(row.amount),
    });
  }
  return rows;
};

const loadAccounts = async (query: RunQuery, ledger: Ledger, addresses: readonly string[]): Promise<void> => {
  if (addresses.length === 0) return;
  const absent = new Set(addresses);
  for (const row of (await query<AccountRow>(SELECT_ACCOUNTS, [addresses])).rows) {
    absent.delete(row.address);
    ledger.loadAccount(
      {
        address: row.address,
        publicKey: row.public_key,
        balance: BigInt(row.balance),
        locked: BigInt(row.locked),
        vote: row.vote,
      },
      true,
    );
  }
  for (const address of absent) {
    ledger.loadAccount({ address, publicKey: null, balance: 0n, locked: 0n, vote: null }, false);
  }
};

/** Brings into the ledger what `blocks` will touch and it does not hold yet: open locks, then accounts. */
export const loadWorkingSet = async (
  query: RunQuery,
  ledger: Ledger,
  blocks: readonly LedgerBlock[],
): Promise<void> => {
  if (ledger.holdsAll) return;
  const { addresses, lockIds } = touchedKeys(blocks, ledger.addresses);
  const wanted = new Set(addresses);
  await loadLocks(
    query,
    ledger,
    [...lockIds].filter((id) => !ledger.knowsLock(id)),
  );
  for (const id of lockIds) {
    const lock = ledger.locks.get(id);
    if (lock) wanted.add(lock.senderAddress).add(lock.recipientAddress);
  }
  await loadAccounts(
    query,
    ledger,
    [...wanted].filter((address) => !ledger.accounts.has(address)),
  );
};
