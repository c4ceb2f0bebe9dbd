import { queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';

const PAGE_ROWS = 1_000;

/** The rows of a statement in pages, by a cursor of the open transaction. */
export async function* pagesOf<Row extends object>(
  client: ClientBase,
  select: string,
  values: readonly unknown[],
): AsyncGenerator<Row[], void> {
  await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${select}`, values as unknown[]);
  for (;;) {
    const rows = await queryRows<Row>(client, `FETCH ${PAGE_ROWS} FROM pages`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE pages');
}
