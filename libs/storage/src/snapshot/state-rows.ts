import { RunningSums, type Account, type ClaimDrift, type Delegate, type Lock } from '@roundhouse/chain';
import {
  accounts,
  changingColumns,
  claimDrifts,
  delegates,
  keyOf,
  locks,
  undoAccounts,
  undoDelegates,
  undoLocks,
  type Table,
  type UndoTable,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { isSame, namesOf, selectFrom } from '@roundhouse/entities/sql';
import { pagesOf } from '../pages-of.js';

/** The statements that select the rows of the tables that digests cover. */
interface Selects {
  readonly accounts: string;
  readonly delegates: string;
  readonly locks: string;
  readonly claims: string;
}

const CURRENT: Selects = {
  accounts: selectFrom(accounts),
  delegates: selectFrom(delegates),
  locks: selectFrom(locks),
  claims: selectFrom(claimDrifts),
};

const from = (table: Table, rows: string): string => selectFrom({ ...table, name: `(${rows}) AS t` });

/** Rows of today that a block above $1 has changed. */
const changedSince = ({ name, of }: UndoTable): string =>
  from(
    of,
    `SELECT * FROM ${of.name} AS now
     WHERE EXISTS (SELECT FROM ${name} AS undo WHERE undo.height > $1 AND ${isSame(keyOf(of), 'undo', 'now')})`,
  );

/** The same rows as they were at $1: a row's oldest before-image above it, and what never changes. */
const asTheyWere = ({ name, of }: UndoTable): string => {
  const key = namesOf(keyOf(of));
  const oldest = `SELECT DISTINCT ON (${key}) * FROM ${name} WHERE height > $1 ORDER BY ${key}, height`;
  const changing = changingColumns(of);
  if (changing.length === 0) return from(of, `SELECT * FROM (${oldest}) AS oldest WHERE existed`);
  const columns = of.columns.map(
    (column) => `${changing.includes(column) ? 'oldest' : 'now'}.${column.name}`,
  );
  return from(
    of,
    `SELECT ${columns.join(', ')} FROM (${oldest}) AS oldest JOIN ${of.name} AS now ON ${isSame(keyOf(of), 'oldest', 'now')}
     WHERE existed`,
  );
};

const selectsOf = (select: (undo: UndoTable) => string, claims: string): Selects => ({
  accounts: select(undoAccounts),
  delegates: select(undoDelegates),
  locks: select(undoLocks),
  claims: `${selectFrom(claimDrifts)} WHERE ${claims}`,
});

const CHANGED = selectsOf(changedSince, 'height > $1');
// Claims are only added.
const BEFORE = selectsOf(asTheyWere, 'false AND height > $1');

const sumsOf = async (
  client: ClientBase,
  selects: Selects,
  values: readonly unknown[] = [],
  onPage: () => void | Promise<void> = () => undefined,
): Promise<RunningSums> => {
  const sums = new RunningSums();
  for await (const rows of pagesOf<Account>(client, selects.accounts, values)) {
    for (const row of rows) sums.addAccount({ ...row, balanceFactor: null, nonceFactor: null });
    await onPage();
  }
  for await (const rows of pagesOf<Delegate>(client, selects.delegates, values))
    for (const row of rows) sums.addDelegate({ ...row, factors: null });
  for await (const rows of pagesOf<Lock>(client, selects.locks, values))
    for (const row of rows) sums.openLock(row);
  for await (const rows of pagesOf<ClaimDrift>(client, selects.claims, values))
    for (const row of rows) sums.addClaim(row);
  return sums;
};

/**
 * The sums of the state, computed from its rows. Needs an open transaction. `onPage` is called after each page of
 * accounts; the next one waits for it.
 */
export const sumsAtHead = (client: ClientBase, onPage?: () => void | Promise<void>): Promise<RunningSums> =>
  sumsOf(client, CURRENT, [], onPage);

/** Turns the sums at the head into those after the block at `height`, which before-images must reach. */
export const takeBack = async (client: ClientBase, sums: RunningSums, height: number): Promise<void> => {
  sums.addSums(await sumsOf(client, CHANGED, [height]), -1n);
  sums.addSums(await sumsOf(client, BEFORE, [height]), 1n);
};
