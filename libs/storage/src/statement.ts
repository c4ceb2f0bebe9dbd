import type { BlockRef, StatementEnds, StatementRow } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { heightOfTime, queryRows, SELECT_STATEMENT, SELECT_STATEMENT_ENDS } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { pagesOf } from './pages-of.js';

const valuesOf = (head: BlockRef, ...values: unknown[]): unknown[] => [
  head.height,
  bytesOf('block id', head.id),
  ...values,
];

/** The address of an account with this address, or of the delegate with this username; null if there is neither. */
export const findAddress = async (client: ClientBase, name: string): Promise<string | null> => {
  const rows = await queryRows<{ address: string }>(
    client,
    'SELECT address FROM accounts WHERE address = $1 UNION ALL SELECT address FROM delegates WHERE username = $1',
    [name],
  );
  return rows[0]?.address ?? null;
};

const SELECT_HEIGHT = `SELECT ${heightOfTime('$1::bigint', '$2::integer')} AS height`;

/** The lowest height up to `last` whose block is not older than `time`, in seconds since the chain's epoch; above `last` if all are. */
export const findHeightOfTime = async (client: ClientBase, last: number, time: number): Promise<number> =>
  (await queryRows<{ height: number }>(client, SELECT_HEIGHT, [time, last]))[0]!.height;

/** The balances of an account that exists at both ends of a range of heights. */
export const readStatementEnds = async (
  client: ClientBase,
  head: BlockRef,
  address: string,
  { from, to }: Pick<StatementEnds, 'from' | 'to'>,
): Promise<StatementEnds> => {
  type Row = { json: { opening: string; closing: string } };
  const [row] = await queryRows<Row>(client, SELECT_STATEMENT_ENDS, valuesOf(head, address, from, to));
  const { opening, closing } = row!.json;
  return { from, to, opening: BigInt(opening), closing: BigInt(closing) };
};

/** The changes in the range, in order, by a cursor of the open transaction. */
export async function* listStatement(
  client: ClientBase,
  head: BlockRef,
  address: string,
  { from, to, opening }: StatementEnds,
): AsyncGenerator<StatementRow[], void> {
  const values = valuesOf(head, address, from, to, String(opening));
  for await (const rows of pagesOf<{ json: StatementRow }>(client, SELECT_STATEMENT, values))
    yield rows.map(({ json }) => json);
}
