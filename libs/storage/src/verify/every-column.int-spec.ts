import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeBlock } from '@roundhouse/blocks';
import { parseNetwork, type Block, type Network } from '@roundhouse/chain';
import {
  addresses,
  blocks as blocksTable,
  chainColumns,
  keyOf,
  network as networkTable,
  payments,
  publicKeys,
  transactions,
  type Column,
  type Table,
} from '@roundhouse/entities/tables';
import { randomChain, recordingFile, withExpirations } from '@roundhouse/testing';
import { IndexedChain } from './indexed-chain.harness.js';
import { verifyIndex } from './verify-index.js';

interface Chain {
  readonly network: Network;
  readonly blocks: readonly Block[];
}

/** Transactions of version 1 and of version 2 without a nonce: the first blocks of a node of Core 2.4. */
const old = (): Chain => {
  const lines = gunzipSync(readFileSync(recordingFile('core-2.4-full', 'chain.ndjson.gz'))).toString();
  const network = readFileSync(recordingFile('core-2.4-full', 'network.json'), 'utf8');
  return {
    network: parseNetwork(JSON.parse(network)),
    blocks: lines
      .split('\n')
      .slice(0, 50)
      .map((line) => decodeBlock(JSON.parse(line))),
  };
};

const made = (): Chain => {
  const { network, blocks } = randomChain({ seed: 42, blocks: 26 });
  return { network, blocks: withExpirations(blocks, network) };
};

/** Which rows of a table have something in common. */
interface Kind {
  readonly table: Table;
  readonly where: string;
}

const ofTransactions = (where: string): Kind => ({ table: transactions, where });

const MADE: Readonly<Record<string, Kind>> = {
  'a network': { table: networkTable, where: 'true' },
  'a public key': { table: publicKeys, where: 'true' },
  'an address': { table: addresses, where: 'true' },
  'a payment': { table: payments, where: 'true' },
  'the genesis block': { table: blocksTable, where: 'height = 1' },
  'a block with transactions': { table: blocksTable, where: 'height > 1 AND number_of_transactions > 0' },
  'a genesis transaction': ofTransactions('block_height = 1'),
  'a transfer': ofTransactions('nonce IS NOT NULL AND type_group = 1 AND type = 0'),
  'another type of group 1': ofTransactions('nonce IS NOT NULL AND type_group = 1 AND type > 0'),
  'a type of group 2': ofTransactions('type_group = 2'),
  'an unknown type': ofTransactions('type_group > 2'),
};

const OLD: Readonly<Record<string, Kind>> = {
  'version 1': ofTransactions('block_height > 1 AND version = 1'),
  'version 2 without nonce': ofTransactions('version IS NULL'),
};

/** A change of a column, as SQL: the new value, and of which rows. */
interface Change {
  readonly to: string;
  readonly where: string;
}

const UNKNOWN = 'nobody knows the bytes of an unknown type, so its id proves nothing';

/** What stays unnoticed, and why: this list must be exact. */
const UNPROVEN: Readonly<Record<string, string>> = {
  'the genesis block: block_signature another': 'its id does not cover it, and no node verifies it',
  'a genesis transaction: network another': 'version 1 does not sign it, and tools wrote any network there',
  'version 1: vendor_field with a zero behind it': 'its signed bytes are filled up with zeros',
  'an unknown type: recipient none': UNKNOWN,
  'an unknown type: expiration a value': UNKNOWN,
  'an unknown type: vendor_field a value': UNKNOWN,
  'an unknown type: asset a value': UNKNOWN,
  'an unknown type: signature another': UNKNOWN,
  'an unknown type: signature none': UNKNOWN,
  'an unknown type: second_signature a value': UNKNOWN,
  'an unknown type: signatures a value': UNKNOWN,
};

const ANOTHER: Readonly<Partial<Record<Column['type'], (name: string) => string>>> = {
  // No other row has it as its key.
  integer: (name) => `${name} + 1000`,
  smallint: (name) => `${name} + 1`,
  bigint: (name) => `${name} + 1`,
  text: (name) => `${name} || '1'`,
  bytea: (name) => `set_byte(${name}, length(${name}) - 1, 255 - get_byte(${name}, length(${name}) - 1))`,
  'bytea[]': (name) => `${name} || ${name}[1]`,
  json: (name) => {
    const withLastDigit = (digit: number): string =>
      `regexp_replace(${name}::text, '[0-9]([^0-9]*)$', '${digit}\\1')::json`;
    return `CASE WHEN ${name}::text ~ '9[^0-9]*$' THEN ${withLastDigit(8)} ELSE ${withLastDigit(9)} END`;
  },
};

/** In place of null. */
const VALUES: Readonly<Partial<Record<Column['type'], string>>> = {
  integer: '1',
  smallint: '1',
  bigint: '1',
  bytea: `'\\x2101'`,
  'bytea[]': `ARRAY['\\x2101'::bytea]`,
  json: `'{"other":{"x":1}}'`,
};

/** In place of null, too: they look like nothing, but digests and answers show them. */
const EMPTY: Readonly<Partial<Record<Column['type'], string>>> = {
  integer: '0',
  bigint: '0',
  bytea: `'\\x'`,
  'bytea[]': `'{}'`,
  json: `'{}'`,
};

const changesOf = ({ name, type, isNullable, usual }: Column): Record<string, Change> => {
  const [isThere, isNull] = [`${name} IS NOT NULL`, `${name} IS NULL`];
  return {
    another: { to: ANOTHER[type]!(name), where: isThere },
    ...(isNullable && {
      none: { to: 'NULL', where: isThere },
      'a value': { to: VALUES[type]!, where: isNull },
      // Of a column with a usual value, 0 is often that.
      ...(usual === undefined && type in EMPTY && { 'an empty value': { to: EMPTY[type]!, where: isNull } }),
    }),
    ...(name === 'vendor_field' && { 'with a zero behind it': { to: `${name} || '\\x00'`, where: isThere } }),
    ...(type === 'json' && {
      'with another key': { to: `(${name}::jsonb || '{"x":1}')::json`, where: isThere },
    }),
  };
};

const casesOf = (kinds: Readonly<Record<string, Kind>>): [kind: string, column: string][] =>
  Object.entries(kinds).flatMap(([kind, { table }]) =>
    chainColumns(table)
      .filter(({ isLocal }) => !isLocal)
      .map(({ name }): [string, string] => [kind, name]),
  );

describe.each([
  ['a chain of all types', made(), MADE],
  ['an old chain', old(), OLD],
] as const)('a change in %s is found', (_, { network, blocks }, kinds: Readonly<Record<string, Kind>>) => {
  const tables = [...new Set(Object.values(kinds).map(({ table }) => table.name))];
  let index: IndexedChain;

  beforeAll(async () => {
    index = await IndexedChain.create(network, blocks, 5);
    for (const name of tables) await index.client.query(`CREATE TEMP TABLE saved_${name} AS TABLE ${name}`);
  });

  afterAll(() => index.close());

  const isFound = async (): Promise<boolean> => {
    const report = await index.apart((client) => verifyIndex(client, { listed: 1 }));
    return report.badBlocks.length + report.strays.length + report.tables.length > 0;
  };

  /** Whether the last such row was changed. */
  const changed = async ({ table, where }: Kind, column: string, change: Change): Promise<boolean> => {
    const newest = keyOf(table).map(({ name }) => `${name} DESC`);
    const { rowCount } = await index.client.query(
      `UPDATE ${table.name} SET ${column} = ${change.to} WHERE ctid = (
         SELECT ctid FROM ${table.name} WHERE (${where}) AND ${change.where} ORDER BY ${newest.join(', ')} LIMIT 1)`,
    );
    return rowCount === 1;
  };

  const restore = ({ table: { name } }: Kind): Promise<unknown> =>
    index.client.query(`BEGIN; DELETE FROM ${name}; INSERT INTO ${name} TABLE saved_${name}; COMMIT`);

  it('and nothing without one', async () => {
    expect(await isFound()).toBe(false);
  });

  it.each(casesOf(kinds))('%s: %s', async (name, columnName) => {
    const kind = kinds[name]!;
    const column = kind.table.columns.find((each) => each.name === columnName)!;
    const outcomes: Record<string, boolean> = {};
    for (const [form, change] of Object.entries(changesOf(column))) {
      if (!(await changed(kind, columnName, change))) continue;
      outcomes[`${name}: ${columnName} ${form}`] = await isFound();
      await restore(kind);
    }
    const expected = Object.keys(outcomes).map((change) => [change, !(change in UNPROVEN)]);
    expect(expected).not.toEqual([]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  });
});
