import { NetworkConfigError } from '../errors/chain-error.js';
import { MilestoneSchedule } from './milestones.js';
import { FIRST } from './milestones.harness.js';

const first = { ...FIRST, block: { version: 0, maxPayload: 1 } };

describe('MilestoneSchedule', () => {
  it('merges deeply: a milestone that sets one key of "block" keeps its other keys', () => {
    const schedule = new MilestoneSchedule([
      first,
      { height: 100, block: { idFullSha256: true } },
      { height: 200, block: { maxPayload: 2 }, fees: { staticFees: { transfer: 11 } } },
    ]);
    expect(schedule.at(99).idFullSha256).toBe(false);
    expect(schedule.at(100).idFullSha256).toBe(true);
    expect(schedule.at(200)).toMatchObject({
      idFullSha256: true,
      staticFees: { transfer: 11n, secondSignature: 20n },
    });
    expect(schedule.hasFullSha256Ids).toBe(true);
  });

  it('returns the constants of any height, in any order of heights and of milestones', () => {
    const schedule = new MilestoneSchedule([{ height: 80, reward: 3 }, first, { height: 75, reward: 2 }]);
    const rewards = [80, 1, 79, 75, 74, 1_000_000].map((height) => schedule.at(height).reward);
    expect(rewards.map(String)).toEqual(['3', '0', '2', '2', '0', '3']);
  });

  it('keeps amounts beyond 2^53 exact', () => {
    const exact = 9_007_199_254_740_993n;
    for (const reward of [exact, String(exact)])
      expect(new MilestoneSchedule([{ ...first, reward }]).at(1).reward).toBe(exact);
  });

  it('lists the heights at which a constant changes, not those at which it is repeated', () => {
    const [same, other] = [
      { height: 10, activeDelegates: 51 },
      { height: 52, activeDelegates: 3 },
    ];
    const schedule = new MilestoneSchedule([first, same, other]);
    expect(schedule.changesOf('activeDelegates')).toEqual([
      { height: 1, value: 51 },
      { height: 52, value: 3 },
    ]);
  });

  it.each([
    ['no milestone at height 1', [{ ...first, height: 2 }]],
    ['a reward that is not whole', [{ ...first, reward: 0.5 }]],
    ['a reward that a double cannot hold', [{ ...first, reward: 2 ** 53 }]],
    ['a reward of 2^63', [{ ...first, reward: 2n ** 63n }]],
    ['a negative reward', [{ ...first, reward: -1 }]],
    ['a negative reward beyond 2^53', [{ ...first, reward: -(2n ** 60n) }]],
    ['more delegates than can be counted', [{ ...first, activeDelegates: 2 ** 31 }]],
    ['no block time', [{ ...first, blocktime: undefined }]],
    ['an epoch that is not a date', [{ ...first, epoch: 'yesterday' }]],
    ['a missing fee', [{ ...first, fees: {} }]],
  ])('refuses %s', (_, milestones) => {
    expect(() => new MilestoneSchedule(milestones)).toThrow(NetworkConfigError);
  });
});
