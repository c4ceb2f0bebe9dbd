import {
  AddressBook,
  addressOf,
  entryOf,
  epochOf,
  heightsBetween,
  isPublicKey,
  MilestoneSchedule,
  parseMoment,
  STATEMENT_CSV_HEADER,
  statementCsvEnds,
  statementCsvLine,
  type Moment,
  type Network,
} from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import {
  findAddress,
  findHeightOfTime,
  liftLimits,
  listStatement,
  readNetwork,
  readPosition,
  readStatementEnds,
} from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { defineCommand } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { checkDatabase, onDatabase } from '../database/check-database.js';

const momentOf = (option: string, text: string | undefined): Moment | undefined => {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  throw new OperatorError(
    `${option} takes a height, a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z, not "${text}".`,
  );
};

const addressNamed = async (
  client: ClientBase,
  account: string,
  { pubKeyHash }: Network,
): Promise<string> => {
  const address = await findAddress(client, isPublicKey(account) ? addressOf(account, pubKeyHash) : account);
  if (address !== null) return address;
  throw new OperatorError(
    `The index has no account "${account}": give an address, a public key or the username of a delegate.`,
  );
};

/** Throws `OperatorError`. */
const printStatement = async (
  client: ClientBase,
  account: string,
  from: Moment | undefined,
  to: Moment | undefined,
): Promise<void> => {
  // The reader of the output may be slow.
  await liftLimits(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { head } = await readPosition(client);
  const stored = await readNetwork(client);
  if (head === null || stored === null) throw new OperatorError('The index is empty: index a chain first.');
  const { network } = stored;
  const { height } = head;
  const epoch = epochOf(new MilestoneSchedule(network.milestones).at(height));
  const address = await addressNamed(client, account, network);
  const findHeight = (time: number) => findHeightOfTime(client, height, time);
  const range = await heightsBetween(from, to, height, epoch, findHeight);
  if (range === 'reversed') throw new OperatorError('--from must not be after --to.');
  if ('above' in range)
    throw new OperatorError(`The index is at height ${height}: there is no block ${range.above} in it.`);
  const ends = await readStatementEnds(client, head, address, range);
  const [opening, closing] = statementCsvEnds(ends);
  const addresses = new AddressBook(network.pubKeyHash);
  print(STATEMENT_CSV_HEADER, opening);
  for await (const rows of listStatement(client, head, address, ends))
    print(...rows.map((row) => statementCsvLine(entryOf(row, addresses, epoch))));
  print(closing);
};

export const command = defineCommand({
  text: `Prints each change of the balance of an account as CSV, with the balances before and after. It reads one snapshot of
the index, also while an indexer writes, and needs no history. Amounts are in arktoshi.`,
  examples: [
    ['indexer statement --account AbfQq8iRSf9TFQRzQWo33dHYU7HFMS17Zd > all.csv', 'since the genesis block'],
    ['indexer statement --account genesis_1 --from 2025-01-01 --to 2025-12-31', 'a year, in UTC'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 if everything was printed, 1 if not.`,
  options: {
    account: { type: 'string', requiresArg: true, description: 'NAME: address, public key or username' },
    from: {
      type: 'string',
      requiresArg: true,
      description: 'HEIGHT or DATE: the first block or day (default: the genesis block)',
    },
    to: {
      type: 'string',
      requiresArg: true,
      description: 'HEIGHT or DATE: the last block or day, included (default: the head)',
    },
  },
  run: async ({ account, from, to }, environment) => {
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    if (!account)
      throw new OperatorError('Say whose statement it is: "indexer statement --account ADDRESS".');
    const [first, last] = [momentOf('--from', from), momentOf('--to', to)];
    await checkDatabase(DATABASE_URL);
    await onDatabase(DATABASE_URL, (client) => printStatement(client, account, first, last));
    return 0;
  },
});
