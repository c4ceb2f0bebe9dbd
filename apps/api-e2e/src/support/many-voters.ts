import type { DataSource } from 'typeorm';
import { accounts, publicKey } from './hand-made-chain.js';

/** The delegate that they vote for. */
export const CROWDED = publicKey(6);

/**
 * Adds accounts that vote for `CROWDED`: copies of an account of the hand-made chain, each with its own address. Some
 * have equal balances.
 */
export const addVoters = async (database: DataSource, count: number): Promise<void> => {
  const { address } = accounts[0]!;
  // The columns may be of any type: text is cast to it.
  await database.query(
    `INSERT INTO accounts SELECT (jsonb_populate_record(a, jsonb_build_object(
       'address', 'A' || lpad(i::text, 33, '0'),
       'number', 1000000 + i,
       'balance', i / 3,
       'vote', (SELECT public_key FROM delegates WHERE username = 'new')))).*
     FROM accounts a, generate_series(1, $2) i WHERE a.address = $1`,
    [address, count],
  );
  await database.query('ANALYZE accounts');
};
