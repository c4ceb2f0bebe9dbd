import { NetworkConfigError } from '../errors/chain-error.js';
import {
  assertKnownRules,
  foreignRulesOf,
  harmlessMilestonesNote,
  type ForeignRulesError,
} from './foreign-rules.js';

const first = { height: 1, reward: 0, activeDelegates: 53, blocktime: 8, epoch: '2022-03-28T18:00:00.000Z' };

const errorOf = (...milestones: readonly object[]): ForeignRulesError | null => {
  try {
    assertKnownRules({ milestones });
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(NetworkConfigError);
    return error as ForeignRulesError;
  }
};

const refusal = (...milestones: readonly object[]): string => errorOf(...milestones)?.message ?? '';

describe('assertKnownRules', () => {
  const HARMLESS: Readonly<Record<string, readonly object[]>> = {
    "Hydra's": [
      { ...first, blocktime: 12 },
      { height: 201_601, reward: 800_000_000 },
      { height: 1_580_000, aip11: true, htlcEnabled: true, p2p: {}, morpheus: true },
      { height: 3_295_500, coeus: true },
    ],
    "Phantom's": [
      { ...first, blocktime: 6, htlcEnabled: false, vendorFieldLength: 512 },
      { height: 2, aip11: true, fees: { staticFees: { ipfs: 1 } } },
    ],
    "Blockpool's": [
      { ...first, activeDelegates: 201, blocktime: 15 },
      { height: 40_201, block: { idFullSha256: true } },
    ],
    // These are only displayed, or checked by nodes.
    'own keys of fees and blocks in': [{ ...first, fees: { staticFees: { own: 1 } }, block: { own: 1 } }],
  };

  it.each(Object.entries(HARMLESS))('accepts %s milestones', (_, milestones) => {
    expect(refusal(...milestones)).toBe('');
  });

  it('names all rules of Solar 4 at once, each with the height where it begins', () => {
    const message = refusal(
      { ...first, blockTime: 8, burn: { feePercent: 90 }, legacyVote: true, legacyTransfer: true },
      { height: 671_988, bip340: true, donations: {} },
      { height: 151_210, dynamicReward: { enabled: true } },
      { height: 1_175_000, legacyVote: false },
      { height: 1_812_866, donations: {} },
    );
    for (const part of [
      'legacyVote from height 1 (votes by username, and shared among delegates by percentages)',
      "dynamicReward from height 151210 (rewards that depend on the delegate's rank)",
      'donations from height 671988 (a part of each reward goes to other accounts)',
      'A chain with such rules cannot be indexed',
    ])
      expect(message).toContain(part);
    expect(message).not.toContain('NETWORK');
  });

  it.each([
    ['Solar 3', { devFund: {} }, /devFund/],
    [
      'Compendia',
      { topReward: 484_000_000, topDelegates: 5, stakeLevels: {} },
      /topReward .*stakeLevels .* weighted by stakes/,
    ],
    ['Mainsail', { roundValidators: 53 }, /roundValidators/],
  ])('refuses %s', (_, milestone, says) => {
    expect(refusal({ ...first, ...milestone })).toMatch(says);
  });

  it('says what to do about rules of which nothing is known', () => {
    expect(refusal(first, { height: 77, tax: 5 })).toMatch(
      /^It has milestones .*: tax from height 77\. If they change neither balances nor votes nor rounds, remove them .* set NETWORK/,
    );
  });

  it('refuses a harmless key with another value than a switch, of which nothing is known', () => {
    expect(refusal(first, { height: 77, morpheus: { tax: 5 } })).toMatch(/morpheus from height 77\. If they/);
  });

  it('names the lowest height, and a rule without one counts from the beginning', () => {
    const heightOf = (...milestones: readonly object[]) => errorOf(...milestones)?.height;
    expect(heightOf(first, { height: 90, burn: {} }, { height: 77, tax: 5 })).toBe(77);
    expect(heightOf(first, { height: 90, burn: {} }, { tax: 5 })).toBe(1);
  });

  it.each([undefined, null, [], {}, { milestones: 'none' }, { milestones: [null, 1] }])(
    'leaves %p to the parser of configurations',
    (config) => {
      expect(foreignRulesOf(config)).toEqual([]);
    },
  );
});

describe('harmlessMilestonesNote', () => {
  it("names Hydra's keys with their heights, and what follows", () => {
    const milestones = [first, { height: 50, coeus: true, morpheus: true }, { height: 90, coeus: true }];
    expect(harmlessMilestonesNote({ milestones })).toMatch(
      /coeus from height 50 \(.*\), morpheus from height 50 .*neither balances nor votes nor rounds, so the chain is indexed/,
    );
  });

  it.each([{ milestones: [first, { height: 77, tax: true }] }, { milestones: [] }, null])(
    'is null for %p',
    (config) => {
      expect(harmlessMilestonesNote(config)).toBeNull();
    },
  );
});
