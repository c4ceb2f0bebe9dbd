const CLAIMED_AT = 89;

const EXTRA: Readonly<Record<string, bigint>> = {
  oracle_1: 3_300_000_000n,
  'oracle!4': -700_000_000_000n,
  oracle_2: 700_000_000_000n,
};

/**
 * docs/differences.md, "Third-party claims": the weight of a delegate that the running Core 3.9 of the recording shows
 * at a height, minus the weight that the rule requires. The difference lasts from a claim until the node's next restart.
 */
export const thirdPartyClaim = (username: string, height: number): bigint =>
  height < CLAIMED_AT ? 0n : (EXTRA[username] ?? 0n);

/** The round ends at 102 and 153 ranked by these weights; at the next one, nobody changes places. */
const FIRST_RANKED = 102;
const RANKED_OTHERWISE_UNTIL = 204;

const PLACES: Readonly<Record<string, number>> = { 'oracle!4': 2, genesis_3: -1, genesis_4: -1 };

/** The rank that the node shows minus that by the rule's weights. */
export const placesByThirdPartyClaim = (username: string, height: number): number =>
  height < FIRST_RANKED || height >= RANKED_OTHERWISE_UNTIL ? 0 : (PLACES[username] ?? 0);
