import { buildMissingIndexes } from '@roundhouse/entities';
import type { Client } from 'pg';
import { connectTestDatabase } from './connected-database.harness.js';
import { findFirstMoved, readUnknownTypes } from './unknown-types.js';

describe('the unknown types of an index', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  afterAll(() => close());

  const add = (
    height: number,
    typeGroup: number,
    type: number,
    amount = 0,
    recipient: number | null = null,
  ) =>
    client.query(
      `INSERT INTO transactions (block_height, sequence, id, type_group, type, sender, amount, fee, recipient)
       VALUES ($1, 0, int4send($1), $2, $3, 1, $4, 0, $5)`,
      [height, typeGroup, type, amount, recipient],
    );

  it('are listed with the heights where they occur first', async () => {
    expect(await readUnknownTypes(client)).toEqual([]);
    const rows = [
      [2, 1, 0],
      [3, 1001, 7],
      [4, 2, 6],
      [5, 1, 11],
      [6, 1001, 0],
      [7, 1001, 7],
      [8, 0, 6],
    ] as const;
    for (const [height, typeGroup, type] of rows) await add(height, typeGroup, type);
    expect(await readUnknownTypes(client)).toEqual([
      { typeGroup: 0, type: 6, firstHeight: 8 },
      { typeGroup: 1, type: 11, firstHeight: 5 },
      { typeGroup: 1001, type: 0, firstHeight: 6 },
      { typeGroup: 1001, type: 7, firstHeight: 3 },
    ]);
  });

  it('have a first transaction with an amount that could move', async () => {
    const seven = { typeGroup: 1001, type: 7 };
    const eleven = { typeGroup: 1, type: 11 };
    expect(await findFirstMoved(client, [seven, eleven, { typeGroup: 2 ** 32, type: 0 }])).toBeNull();
    await add(9, 1001, 7, 5);
    await add(10, 1001, 7, 5, 1);
    await add(11, 1, 11, 5, 1);
    expect(await findFirstMoved(client, [eleven, seven])).toEqual({ ...seven, firstHeight: 10 });
    expect(await findFirstMoved(client, [eleven])).toEqual({ ...eleven, firstHeight: 11 });
    expect(await findFirstMoved(client, [])).toBeNull();
  });

  it('are not looked for while an index is missing, as in a first sync', async () => {
    await client.query('DROP INDEX ix_transactions__type');
    expect(await readUnknownTypes(client)).toEqual([]);
    await buildMissingIndexes(client);
    expect(await readUnknownTypes(client)).not.toEqual([]);
  });
});
