import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';

/** Prints the figures of a part, then its tables. */
const print = (title: string, part: object): void => {
  const entries = Object.entries(part) as [string, string | number | object][];
  const tables = entries.filter(([, value]) => typeof value === 'object') as [string, object][];
  console.log(`\n${title}, load ${loadavg()[0]!.toFixed(1)}`);
  console.table(Object.fromEntries(entries.filter(([, value]) => typeof value !== 'object')));
  for (const [name, table] of tables) {
    console.log(`${title}.${name}`);
    console.table(table);
  }
};

/**
 * Prints the measured parts and writes them to the file; the others stay there as in the last run. figures.ts
 * says what each figure of docs/performance.md is.
 */
export const saveResults = (file: string, measured: object): void => {
  for (const [name, part] of Object.entries(measured)) print(name, part as object);
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...kept, ...measured }, null, 2)}\n`);
};
