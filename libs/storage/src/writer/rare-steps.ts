import { LASTING, type Lock, type VoteRecords } from '@roundhouse/chain';
import { historyVotes, locks } from '@roundhouse/entities/tables';
import { byteaText, namesOf, unnest } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { arrayStep, copyStep, queryStep, textInto, type WriteStep } from './copy.js';

// What few batches change, besides rounds.

const INSERT_LOCKS = `
INSERT INTO locks (${namesOf(locks.columns)}) SELECT * FROM ${unnest(locks.columns)}`;

const DELETE_LOCKS = `DELETE FROM locks WHERE transaction_id = ANY($1::bytea[])`;

/** $1, $2: accounts, and the heights at which their votes end. */
const END_VOTES = `
UPDATE history_votes AS vote SET until_height = ended.height
FROM unnest($1::integer[], $2::integer[]) AS ended (account, height)
WHERE vote.account = ended.account AND vote.until_height = ${LASTING}`;

const historyVoteText = textInto(historyVotes);

/** Opened locks, and closed ones as null, by transaction id; at least one. */
export const lockSteps = (client: ClientBase, changed: ReadonlyMap<string, Lock | null>): WriteStep[] => {
  const open = [...changed.values()].filter((lock) => lock !== null);
  return [
    queryStep(client, DELETE_LOCKS, [[...changed.keys()].map((id) => byteaText('hex', id))]),
    ...arrayStep(client, INSERT_LOCKS, open, locks.columns),
  ];
};

/** An account can end a vote and begin another in one batch, so the ends go first. */
export const voteSteps = (client: ClientBase, { ended, begun }: VoteRecords): WriteStep[] => {
  const begin = copyStep(client, historyVoteText(begun));
  if (ended.length === 0) return begin;
  const heights = ended.map(({ untilHeight }) => untilHeight);
  return [queryStep(client, END_VOTES, [ended.map(({ account }) => account), heights]), ...begin];
};
