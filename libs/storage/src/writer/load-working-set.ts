import { touchedKeys, type Block, type Ledger } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { SELECT_ACCOUNTS, SELECT_LOCKS } from './queries.js';

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

const loadLocks = async (client: ClientBase, ledger: Ledger, ids: readonly string[]): Promise<LockRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await client.query<LockRow>(SELECT_LOCKS, [ids]);
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

const loadAccounts = async (
  client: ClientBase,
  ledger: Ledger,
  addresses: readonly string[],
): Promise<void> => {
  if (addresses.length === 0) return;
  const absent = new Set(addresses);
  for (const row of (await client.query<AccountRow>(SELECT_ACCOUNTS, [addresses])).rows) {
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
  client: ClientBase,
  ledger: Ledger,
  blocks: readonly Block[],
): Promise<void> => {
  const { addresses, lockIds } = touchedKeys(blocks, ledger.addresses);
  const wanted = new Set(addresses);
  await loadLocks(
    client,
    ledger,
    [...lockIds].filter((id) => !ledger.locks.has(id)),
  );
  for (const id of lockIds) {
    const lock = ledger.locks.get(id);
    if (lock) wanted.add(lock.senderAddress).add(lock.recipientAddress);
  }
  await loadAccounts(
    client,
    ledger,
    [...wanted].filter((address) => !ledger.accounts.has(address)),
  );
};
