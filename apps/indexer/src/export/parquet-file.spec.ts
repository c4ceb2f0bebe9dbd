import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ExportedColumn, ExportedRow } from '@roundhouse/storage';
import { queryParquet } from './parquet.harness.js';
import { writeParquet } from './parquet-file.js';

const COLUMNS: readonly ExportedColumn[] = [
  { name: 'height', type: 'integer', isNullable: false },
  { name: 'amount', type: 'bigint', isNullable: true },
  { name: 'name', type: 'text', isNullable: true },
  { name: 'field', type: 'bytes', isNullable: true },
  { name: 'time', type: 'time', isNullable: false },
];

/** More than a row group has. */
const ROWS = 50_003;

const rowOf = (height: number): ExportedRow => ({
  height,
  amount: height % 2 === 0 ? 9_007_199_254_740_993n : null,
  name: height % 3 === 0 ? `Ж${height}` : null,
  field: height % 5 === 0 ? Buffer.from([0, 255, height % 256]) : null,
  time: 1_490_101_200_000n + BigInt(height) * 1_000n,
});

async function* pagesOf(rows: number): AsyncGenerator<ExportedRow[], void> {
  for (let from = 1; from <= rows; from += 1_000)
    yield Array.from({ length: Math.min(1_000, rows - from + 1) }, (_, place) => rowOf(from + place));
}

describe('writeParquet', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-parquet-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('loses no digit, no null and no byte in several row groups', async () => {
    const path = join(folder, 'rows.parquet');
    expect((await writeParquet(path, COLUMNS, pagesOf(ROWS))).rows).toBe(ROWS);
    expect(
      await queryParquet(
        `SELECT count(*), sum(height), sum(amount), count(amount), count(name), count(field),
           count(*) FILTER (name = 'Ж' || height), count(*) FILTER (hex(field) = '00FF' || lpad(hex(height % 256), 2, '0')),
           count(*) FILTER (epoch_ms("time") = 1490101200000 + height * 1000) FROM '${path}'`,
      ),
    ).toEqual([
      [
        ROWS,
        (ROWS * (ROWS + 1)) / 2,
        9_007_199_254_740_993n * 25_001n,
        25_001,
        16_667,
        10_000,
        16_667,
        10_000,
        ROWS,
      ].map(String),
    ]);
    expect(await queryParquet(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)).toEqual([
      ['height', 'INTEGER'],
      ['amount', 'BIGINT'],
      ['name', 'VARCHAR'],
      ['field', 'BLOB'],
      ['time', 'TIMESTAMP'],
    ]);
  });

  it('writes a file without rows that has the columns', async () => {
    const path = join(folder, 'none.parquet');
    expect(await writeParquet(path, COLUMNS, pagesOf(0))).toMatchObject({ rows: 0 });
    expect(await queryParquet(`SELECT count(amount) FROM '${path}'`)).toEqual([['0']]);
  });

  it('leaves nothing behind if the rows cannot be read', async () => {
    const broken = async function* (): AsyncGenerator<ExportedRow[], void> {
      yield* pagesOf(1_000);
      throw new Error('lost');
    };
    await expect(writeParquet(join(folder, 'broken.parquet'), COLUMNS, broken())).rejects.toThrow('lost');
    expect(await readdir(folder)).toEqual([]);
  });
});
