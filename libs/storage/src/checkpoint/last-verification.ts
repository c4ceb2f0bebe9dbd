import type { ClientBase, Pool } from 'pg';

/** What a verification that finished has found. */
export interface Verification {
  /** It verified the blocks above this height … */
  readonly from: number;
  /** … up to this one, and the state after it. */
  readonly height: number;
  /** Null if it found nothing wrong. */
  readonly problem: string | null;
}

export interface VerificationState {
  readonly last: (Verification & { readonly ageSeconds: number }) | null;
  /** Height of the checkpoint; null if there is none. */
  readonly checkpoint: number | null;
}

const UPSERT = `
INSERT INTO checkpoint.last_verification (from_height, height, problem) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET from_height = excluded.from_height, height = excluded.height,
  problem = excluded.problem, finished_at = now()`;

export const recordVerification = async (
  client: ClientBase,
  { from, height, problem }: Verification,
): Promise<void> => {
  await client.query(UPSERT, [from, height, problem]);
};

const SELECT_STATE = `
SELECT (SELECT height FROM checkpoint.head) AS checkpoint, (
  SELECT json_build_object('from', from_height, 'height', height, 'problem', problem,
    'ageSeconds', extract(epoch FROM clock_timestamp() - finished_at)) FROM checkpoint.last_verification) AS last`;

export const readVerificationState = async (db: Pool | ClientBase): Promise<VerificationState> =>
  (await db.query<VerificationState>(SELECT_STATE)).rows[0]!;
