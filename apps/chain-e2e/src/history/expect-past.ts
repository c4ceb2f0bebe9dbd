import { expect } from '@jest/globals';
import type { PastAnswers, Whole } from './past-answers.js';
import type { State } from './read-state.js';

const AMOUNTS = new Set(['balance', 'locked', 'weight', 'fees', 'rewards', 'forged']);

interface VoterFields {
  readonly address: string;
  readonly balance: Whole | string;
  readonly locked: Whole | string;
}

/** The same with each amount as text, by `key`. */
const byKey = (rows: readonly object[], key: string): ReadonlyMap<unknown, object> =>
  new Map(
    rows.map((row) => {
      const fields = Object.entries(row) as [string, unknown][];
      const texts = fields.map(([name, value]) => [name, AMOUNTS.has(name) ? String(value) : value]);
      const named = Object.fromEntries(texts) as Record<string, unknown>;
      return [named[key], named];
    }),
  );

/** All accounts that ever were, so that those that the chain did not know yet are judged, too. */
const expectedAccounts = (
  { accounts }: State,
  asked: readonly string[],
): ReadonlyMap<unknown, object | null> => {
  const known = byKey(accounts, 'address');
  return new Map(asked.map((address) => [address, known.get(address) ?? null]));
};

const votersOf = (rows: readonly VoterFields[]): ReadonlyMap<unknown, object> =>
  byKey(
    rows.map(({ address, balance, locked }) => ({ address, balance, locked })),
    'address',
  );

/** What history answers about a height must be the state of an index whose head it is. */
export const expectPast = (answers: PastAnswers, state: State): void => {
  const { height } = state;
  const asked = Object.keys(answers.accounts);
  const accounts = Object.entries(answers.accounts);
  const found = byKey(
    accounts.flatMap(([, account]) => account ?? []),
    'address',
  );
  expect({
    height,
    supply: String(answers.supply),
    delegates: byKey(answers.delegates, 'publicKey'),
    accounts: new Map(asked.map((address) => [address, found.get(address) ?? null])),
  }).toEqual({
    height,
    supply: state.supply,
    delegates: byKey(state.delegates, 'publicKey'),
    accounts: expectedAccounts(state, asked),
  });
  for (const [publicKey, voters] of Object.entries(answers.voters))
    expect({ height, publicKey, voters: votersOf(voters) }).toEqual({
      height,
      publicKey,
      voters: votersOf(state.accounts.filter(({ vote }) => vote === publicKey)),
    });
};
