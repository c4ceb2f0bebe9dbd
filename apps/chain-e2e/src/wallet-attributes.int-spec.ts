import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attributesOf, membersOf } from '@roundhouse/chain';
import { hexText } from '@roundhouse/entities/sql';
import { findViolations, readRecording } from '@roundhouse/testing';
import { headOf } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';

type Attributes = Readonly<Record<string, unknown>>;

interface NodeWallet {
  readonly address: string;
  readonly attributes: Attributes;
}

/** The attributes that are folded from transactions; all others follow from other columns and tables. */
const FOLDED = ['business', 'entities', 'ipfs', 'multiSignature'];

const foldedOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => FOLDED.includes(name)));

const CHAIN = 'core-3.9-full';

const wallets = Object.fromEntries(
  readRecording<NodeWallet>(CHAIN, 'node-wallets-after-restart.ndjson.gz').map(({ address, attributes }) => [
    address,
    foldedOf(attributes),
  ]),
);

interface AccountRow {
  readonly address: string;
  readonly members: string | null;
  readonly attributes: string | null;
}

describe('the wallets of a restarted node', () => {
  let index: RecordedIndex;

  const indexed = async (): Promise<Record<string, unknown>> => {
    const { rows } = await index.client.query<AccountRow>(
      `SELECT address, ${hexText('multi_signature')} AS members, attributes FROM accounts`,
    );
    return Object.fromEntries(
      rows.map(({ address, members, attributes }) => [
        address,
        { ...(members === null ? {} : { multiSignature: membersOf(members) }), ...attributesOf(attributes) },
      ]),
    );
  };

  beforeAll(async () => {
    index = await RecordedIndex.whole(CHAIN);
  });
  afterAll(() => index.close());

  it('have the same businesses, bridgechains, entities, files and members', async () => {
    const names = Object.values(wallets).flatMap((attributes) => Object.keys(attributes));
    for (const name of FOLDED) expect(names).toContain(name);
    expect(await indexed()).toEqual(wallets);
  });

  it('are few: most accounts have no attributes', async () => {
    const { rows } = await index.client.query(
      'SELECT count(attributes)::integer AS some, count(*)::integer AS all FROM accounts',
    );
    expect(rows).toEqual([{ some: 9, all: Object.keys(wallets).length }]);
  });

  it.each([300, 211, 117, 59])(
    'are the same after blocks above %i were undone and applied again',
    async (height) => {
      await index.undoTo(height);
      expect(await findViolations(index.client)).toEqual({});
      expect(await indexed()).not.toEqual(wallets);
      await index.indexTo(headOf(CHAIN));
      expect(await indexed()).toEqual(wallets);
      expect(index.violations.filter((violations) => Object.keys(violations).length > 0)).toEqual([]);
    },
  );

  it('and the rounds are those of its table, with the weights by which it chose the forgers', async () => {
    const { rows } = await index.client.query(
      `SELECT round, ${hexText('public_key')} AS public_key, forger.weight AS balance
       FROM rounds, unnest(forging_order, weights) AS forger (number, weight) JOIN delegates USING (number)`,
    );
    const key = ({ round, public_key }: Record<string, unknown>): string =>
      `${String(round)} ${String(public_key)}`;
    const byKey = (listed: readonly Record<string, unknown>[]) =>
      listed
        .map((row) => ({ ...row, balance: String(row['balance']) }))
        .sort((one, other) => (key(one) < key(other) ? -1 : 1));
    expect(byKey(rows)).toEqual(byKey(readRecording(CHAIN, 'core-database-rounds.ndjson.gz')));
  });
});
