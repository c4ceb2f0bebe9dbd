import { OperatorError } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { digestTables, listRoundDigests } from '@roundhouse/storage';
import type { Client } from 'pg';
import { defineCommand, readWholeNumber } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { checkDatabase, onDatabase } from '../database/check-database.js';

/** Prints in the format of sha256sum. */
const printTableDigests = async (client: Client): Promise<void> => {
  const { tables, sha256 } = await digestTables(client);
  for (const table of tables) print(`${table.sha256}  ${table.table}`);
  print(`${sha256}  all`);
};

/** Prints the stored digest of one round and its parts, or the digests of the newest rounds. */
const printRoundDigests = async (client: Client, round: number | null, limit: number): Promise<void> => {
  const digests = await listRoundDigests(client, { round, limit });
  if (digests.length === 0) {
    throw new OperatorError(
      round === null
        ? 'There is no digest of any round: none has ended yet.'
        : `There is no digest of round ${round}: it has not ended yet.`,
    );
  }
  for (const { digest, round: of, height } of digests) print(`${digest}  round ${of} height ${height}`);
  if (round === null) return;
  const { accounts, delegates, locks } = digests[0]!;
  print(`${accounts}  accounts`, `${delegates}  delegates`, `${locks}  locks`);
};

export const command = defineCommand({
  text: `Two indexes of one chain at the same height have the same digests, however they were made. This reads every row.

The indexer stores a digest at the end of each round (docs/decisions/0011). With --rounds or --at, stored digests are
read and nothing is computed.`,
  examples: [
    ['indexer digest > here.txt', 'compare with another index by diff'],
    ['indexer digest --at 19607', 'the state after a round, to compare with that of another index'],
  ],
  closing: `Needs DATABASE_URL. Exit code: 0 if everything was read, 1 if not.`,
  options: {
    rounds: {
      type: 'string',
      requiresArg: true,
      description: 'N: print the stored digests of the N newest rounds that have ended',
    },
    at: {
      type: 'string',
      requiresArg: true,
      description: 'ROUND: print the stored digest of the state after that round, and its parts',
    },
  },
  run: async ({ rounds, at }, environment) => {
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    if (at !== undefined && rounds !== undefined) throw new OperatorError('Give --at or --rounds, not both.');
    const round = readWholeNumber('--at', at);
    const limit = readWholeNumber('--rounds', rounds);
    const isOfRounds = round !== null || limit !== null;
    await checkDatabase(DATABASE_URL);
    await onDatabase(DATABASE_URL, (client) =>
      isOfRounds ? printRoundDigests(client, round, limit ?? 1) : printTableDigests(client),
    );
    return 0;
  },
});
