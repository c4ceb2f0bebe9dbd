import {
  AddressBook,
  addressOf,
  entryOf,
  epochOf,
  heightOfMoment,
  isAfter,
  isPublicKey,
  MilestoneSchedule,
  parseMoment,
  STATEMENT_CSV_HEADER,
  statementCsvEnds,
  statementCsvLine,
  type BlockRef,
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

interface Index {
  readonly client: ClientBase;
  readonly head: BlockRef;
  readonly network: Network;
  /** In seconds since 1970. */
  readonly epoch: number;
}

const openIndex = async (client: ClientBase): Promise<Index> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { head } = await readPosition(client);
  const stored = await readNetwork(client);
  if (head === null || stored === null) throw new OperatorError('The index is empty: index a chain first.');
  const { network } = stored;
  return { client, head, network, epoch: epochOf(new MilestoneSchedule(network.milestones).at(head.height)) };
};

const addressNamed = async ({ client, network }: Index, account: string): Promise<string> => {
  const name = isPublicKey(account) ? addressOf(account, network.pubKeyHash) : account;
  const address = await findAddress(client, name);
  if (address !== null) return address;
  throw new OperatorError(
    `The index has no account "${account}": give an address, a public key or the username of a delegate.`,
  );
};

const isReversed = (): OperatorError => new OperatorError('--from must not be after --to.');

type Bound = '--from' | '--to';

const momentOf = (option: Bound, text: string | undefined): Moment | null => {
  if (text === undefined) return null;
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  throw new OperatorError(
    `${option} takes a height, a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z, not "${text}".`,
  );
};

const heightAt = async ({ client, head, epoch }: Index, option: Bound, moment: Moment): Promise<number> => {
  if ('height' in moment && moment.height > head.height)
    throw new OperatorError(
      `The index is at height ${head.height}: there is no block ${moment.height} in it.`,
    );
  return heightOfMoment(moment, option === '--from' ? 'first' : 'last', epoch, (time) =>
    findHeightOfTime(client, head.height, time),
  );
};

const printStatement = async (index: Index, address: string, from: number, to: number): Promise<void> => {
  const { client, head, network, epoch } = index;
  const ends = await readStatementEnds(client, head, address, { from, to });
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
    const [start, end] = [momentOf('--from', from), momentOf('--to', to)];
    if (start !== null && end !== null && isAfter(start, end)) throw isReversed();
    await checkDatabase(DATABASE_URL);
    await onDatabase(DATABASE_URL, async (client) => {
      // The reader of the output may be slow.
      await liftLimits(client);
      const index = await openIndex(client);
      const address = await addressNamed(index, account);
      const first = start === null ? 1 : await heightAt(index, '--from', start);
      const last = end === null ? index.head.height : await heightAt(index, '--to', end);
      if (first > last + 1) throw isReversed();
      await printStatement(index, address, first, last);
    });
    return 0;
  },
});
