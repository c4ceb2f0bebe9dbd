import type { RoundDigest } from '@roundhouse/chain';
import { roundDigests } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { valuesOf } from '@roundhouse/entities/sql';

interface WhichRounds {
  /** Only this round; null for the newest ones. */
  readonly round: number | null;
  readonly limit: number;
}

const SELECT_ROUND_DIGESTS = `
SELECT ${valuesOf(roundDigests.columns)} FROM (
  SELECT * FROM round_digests WHERE $1::integer IS NULL OR round = $1 ORDER BY round DESC LIMIT $2
) AS newest ORDER BY round`;

/** Stored digests of the state at the ends of rounds, ascending. */
export const listRoundDigests = async (
  client: ClientBase,
  { round, limit }: WhichRounds,
): Promise<RoundDigest[]> => (await client.query<RoundDigest>(SELECT_ROUND_DIGESTS, [round, limit])).rows;
