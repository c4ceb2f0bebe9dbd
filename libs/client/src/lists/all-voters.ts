import type { Voter, VotersResponse } from '../generated/api.js';

/** In one answer: pages of different heads would count some coins twice and others not at all. */
export async function* allVoters(get: () => Promise<VotersResponse>): AsyncGenerator<Voter, void> {
  const { accounts } = await get();
  yield* accounts;
}
