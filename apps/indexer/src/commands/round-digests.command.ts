import { OperatorError } from '@roundhouse/config';
import { listRoundDigests } from '@roundhouse/storage';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';

interface RoundDigestsArguments {
  /** One round, or undefined. */
  readonly at: string | undefined;
  /** How many of the newest rounds, or undefined. */
  readonly rounds: string | undefined;
}

const wholeNumber = (option: string, text: string): number => {
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new OperatorError(`--${option} takes a whole number of 1 or more, not "${text}".`);
};

/** Prints the stored digests of one round, with what it is made of, or of the newest rounds, a line each. */
export const printRoundDigests = async (
  { DATABASE_URL }: DatabaseSettings,
  { at, rounds }: RoundDigestsArguments,
): Promise<void> => {
  if (at !== undefined && rounds !== undefined) throw new OperatorError('Give --at or --rounds, not both.');
  const round = at === undefined ? null : wholeNumber('at', at);
  const limit = rounds === undefined ? 1 : wholeNumber('rounds', rounds);
  await checkDatabase(DATABASE_URL);
  const client = await connectDatabase(DATABASE_URL);
  try {
    const digests = await listRoundDigests(client, { round, limit });
    if (digests.length === 0) {
      throw new OperatorError(
        `There is no digest of ${round === null ? 'any round' : `round ${round}`}: it has not ended yet, or the index was begun by a ` +
          `version that kept none ("indexer rebuild" makes them).`,
      );
    }
    for (const { digest, round: of, height } of digests)
      console.log(`${digest}  round ${of} height ${height}`);
    if (round === null) return;
    const { accounts, delegates, locks } = digests[0]!;
    console.log(`${accounts}  accounts\n${delegates}  delegates\n${locks}  locks`);
  } finally {
    await client.end();
  }
};
