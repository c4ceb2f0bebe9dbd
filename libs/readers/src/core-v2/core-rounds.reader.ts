import type { BlockRef } from '@roundhouse/chain';
import { FORGING_ROUNDS, hexText } from '@roundhouse/entities/sql';
import { found, Reader, selectAtHead } from '../at-head.js';
import { assertDetails, HAS_DETAILS } from './details.js';

export interface CoreRoundRow {
  readonly publicKey: string | null;
  /** The weight by which it was chosen, in arktoshi. */
  readonly votes: bigint | null;
}

/** $1, $2: the head; $3: the round. */
const SELECT_ROUND = selectAtHead(
  'core-round',
  `${HAS_DETAILS}, forger."publicKey", forger.votes`,
  `LEFT JOIN LATERAL (
  SELECT ${hexText('d.public_key')} AS "publicKey", listed.weight AS votes
  FROM ${FORGING_ROUNDS} r CROSS JOIN LATERAL unnest(r.forging_order, r.weights) AS listed (number, weight)
  JOIN delegates d USING (number) WHERE r.round = $3::bigint
) forger ON true`,
  'ORDER BY forger.votes DESC, forger."publicKey"',
);

/** Rounds as nodes of 3.x list them. */
export class CoreRoundsReader extends Reader {
  /** The forgers of a round; none if it has not begun. */
  async listForgers(at: BlockRef, round: number): Promise<CoreRoundRow[]> {
    const rows = assertDetails(await this.rows<CoreRoundRow>(at, SELECT_ROUND, String(round)));
    return found(rows, 'publicKey').map(({ publicKey, votes }) => ({ publicKey, votes }));
  }
}
