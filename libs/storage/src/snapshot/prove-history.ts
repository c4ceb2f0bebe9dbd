import { LASTING } from '@roundhouse/chain';
import {
  accounts,
  delegates,
  HISTORY_TABLES,
  historyDelegates,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { queryRows, weightsAt } from '@roundhouse/entities/sql';
import { readHasHistory } from '../writer/load-ledger.js';
import { SnapshotMismatchError } from './read-claim.js';

const rowOf = (row: string, names: readonly string[]): string =>
  `ROW(${names.map((name) => `${row}.${name}`).join(', ')})`;

/** Rows of `of` whose newest row of history, found by `number`, has other values or a height above the head. */
const countOthers = (of: Table, history: string, number: string, values: readonly string[]): string => `
SELECT count(*) FROM ${of.name} AS now LEFT JOIN LATERAL (
  SELECT * FROM ${history} AS history WHERE history.${number} = now.number ORDER BY history.height DESC LIMIT 1
) AS newest ON true
WHERE newest.height > (SELECT height FROM head) OR ${rowOf('now', values)} IS DISTINCT FROM ${rowOf('newest', values)}`;

/** Rows of history that belong to no row of `of`, whose numbers are dense. */
const countForeign = (of: Table, history: string, number: string): string => `
SELECT count(*) FROM ${history} WHERE ${number} < 1 OR ${number} > (SELECT count(*) FROM ${of.name})`;

const DELEGATE_VALUES = historyDelegates.columns.filter(({ isKey }) => !isKey).map(({ name }) => name);

const HEAD_HEIGHT = '(SELECT height FROM head)';

const COUNT_WRONG: Readonly<Record<string, string>> = {
  history_balances: `(${countOthers(accounts, 'history_balances', 'account', ['balance', 'locked'])})
    + (${countForeign(accounts, 'history_balances', 'account')})`,
  history_delegates: `(${countOthers(delegates, 'history_delegates', 'delegate', DELEGATE_VALUES)})
    + (${countForeign(delegates, 'history_delegates', 'delegate')})`,
  history_weights: `(
    SELECT count(*) FROM delegates AS now FULL JOIN ${weightsAt(HEAD_HEIGHT)} AS newest ON newest.delegate = now.number
    WHERE now.weight IS DISTINCT FROM newest.weight
  ) + (SELECT count(*) FROM history_weights WHERE height > ${HEAD_HEIGHT})
    + (SELECT count(*) FROM history_weights, unnest(delegates) AS number WHERE number < 1 OR number > (SELECT count(*) FROM delegates))`,
  history_votes: `(
    SELECT count(*) FROM (SELECT number, address, vote FROM accounts WHERE vote IS NOT NULL) AS now FULL JOIN (
      SELECT account AS number, address, vote, from_height FROM history_votes WHERE until_height = ${LASTING}
    ) AS lasting USING (number)
    WHERE ROW(now.address, now.vote) IS DISTINCT FROM ROW(lasting.address, lasting.vote) OR from_height > (SELECT height FROM head)
  ) + (${countForeign(accounts, 'history_votes', 'account')})`,
  history_rankings: `(
    SELECT count(*) FROM (SELECT * FROM rankings ORDER BY height DESC LIMIT 1) AS now FULL JOIN (
      SELECT * FROM history_rankings ORDER BY height DESC LIMIT 1
    ) AS newest USING (height, delegates)
    WHERE now.height IS NULL OR newest.height IS NULL
  )`,
};

const COUNT_MISNUMBERED = `(SELECT count(*) FROM accounts WHERE number NOT BETWEEN 1 AND (SELECT count(*) FROM accounts))`;

const countOf = async (client: ClientBase, sql: string): Promise<bigint> =>
  (await queryRows<{ count: bigint }>(client, `SELECT ${sql} AS count`))[0]!.count;

/**
 * Proves that accounts are numbered from 1 without gaps, and that the newest rows of history are those of accounts and
 * delegates, or that an index without history has no row of it. Throws `SnapshotMismatchError`.
 */
export const proveHistory = async (client: ClientBase): Promise<void> => {
  if ((await countOf(client, COUNT_MISNUMBERED)) > 0n)
    throw new SnapshotMismatchError('The accounts are not numbered from 1 without gaps.');
  const hasHistory = await readHasHistory(client);
  for (const { name } of HISTORY_TABLES) {
    const wrong = await countOf(client, hasHistory ? COUNT_WRONG[name]! : `(SELECT count(*) FROM ${name})`);
    if (wrong === 0n) continue;
    throw new SnapshotMismatchError(
      hasHistory
        ? `${name} is not the history of the rows at the head: ${wrong} rows differ.`
        : `The index has no history, but ${name} has ${wrong} rows.`,
    );
  }
};
