import type { Voter, VotersResponse } from '../generated/api.js';

/** All in one answer: pages of different heads could count a coin twice, or not at all. */
export async function* allVoters(get: () => Promise<VotersResponse>): AsyncGenerator<Voter, void> {
  const { accounts } = await get();
  yield* accounts;
}
