import type { ChainStatusResponse, DelegateRound, Slot, StatusDelegate } from '@roundhouse/client';

/** The key of the delegate with this number, 1 to 99. */
export const keyOf = (number: number): string => `02${String(number).padStart(64, '0')}`;

export const aDelegate = (rank: number, fields: Partial<StatusDelegate> = {}): StatusDelegate => ({
  rank,
  username: `delegate_${rank}`,
  publicKey: keyOf(rank),
  address: `D${rank}`,
  isActive: rank <= 4,
  isResigned: false,
  weight: 100_000_000_000_000n - BigInt(rank),
  approval: 500,
  producedblocks: 10,
  missedblocks: 0,
  fees: 0n,
  rewards: 2_000_000_000n,
  forged: 2_000_000_000n,
  ...fields,
});

/** Four delegates forge in each round. */
export const aDelegateRound = (round: number, weight = 1n, rank: number | null = 1): DelegateRound => ({
  round,
  height: round * 4,
  weight,
  rank,
  forgingWeight: weight,
  isActive: rank !== null && rank <= 4,
  forgers: 'clean',
});

/** Four delegates with slots of 8 s; the head is slot 101, at 808 s, the second of its round. */
export const aStatus = (fields: Partial<ChainStatusResponse> = {}): ChainStatusResponse => {
  const slots = [100, 101, 102, 103].map((slot): Slot => ({
    slot,
    timestamp: slot * 8,
    publicKey: keyOf((slot % 4) + 1),
    username: `delegate_${(slot % 4) + 1}`,
    state: slot <= 101 ? 'forged' : 'due',
    height: slot <= 101 ? slot - 9 : null,
  }));
  return {
    height: 92,
    id: '9200000000000000092',
    timestamp: 808,
    supply: 13_092_005_600_000_001n,
    indexedAt: '2026-01-01T00:13:28.500Z',
    sourceHeight: 92,
    ended: null,
    lastEventId: '17',
    network: {
      name: 'testnet',
      token: 'TARK',
      symbol: 'TѦ',
      nethash: 'ab'.repeat(32),
      explorer: 'https://explorer.example',
      version: 30,
      epoch: '2026-01-01T00:00:00.000Z',
      blocktime: 8,
      activeDelegates: 4,
      reward: 200_000_000n,
    },
    round: { round: 23, firstHeight: 89, lastHeight: 92, missedSlots: 0, slots },
    rounds: [
      { round: 21, firstHeight: 81, lastHeight: 84, blocks: 4, seconds: 32, missedSlots: 0 },
      { round: 22, firstHeight: 85, lastHeight: 88, blocks: 4, seconds: 48, missedSlots: 2 },
    ],
    delegateCount: 5,
    totalWeight: 500_000_000_000_000n - 15n,
    delegates: [1, 2, 3, 4].map((rank) => aDelegate(rank)),
    blocks: [92, 91, 90].map((height) => ({
      height,
      id: `${height}00000000000000${height}`,
      timestamp: (height + 9) * 8,
      generatorPublicKey: keyOf(((height + 9) % 4) + 1),
      username: `delegate_${((height + 9) % 4) + 1}`,
      numberOfTransactions: 1,
      totalAmount: 700_000_000n,
      totalFee: 10_000_000n,
      reward: 200_000_000n,
      forged: 210_000_000n,
    })),
    success: true,
    ...fields,
  };
};
