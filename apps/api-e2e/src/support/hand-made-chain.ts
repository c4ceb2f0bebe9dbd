/** Odd and above 2^53: floating point would make it even. */
export const SUPPLY = 13_092_005_600_000_001n;
export const HUGE_BALANCE = 9_007_199_254_740_993n;

export const HEAD_HEIGHT = 130;
export const HEAD_TIMESTAMP = 8 * 200 + 3;
export const NETHASH = 'ab'.repeat(32);

/** A round has four blocks: height 130 is the second of round 33. */
export const ACTIVE_DELEGATES = 4;

export const CONFIGURATION = {
  network: {
    name: 'handmade',
    nethash: NETHASH,
    pubKeyHash: 30,
    client: { token: 'HAND', symbol: 'H', explorer: 'https://explorer.example' },
  },
  milestones: [
    {
      height: 1,
      reward: 0,
      activeDelegates: ACTIVE_DELEGATES,
      blocktime: 8,
      epoch: '2017-03-21T13:00:00.000Z',
      fees: {
        staticFees: {
          transfer: 10_000_000,
          secondSignature: 500_000_000,
          delegateRegistration: 2_500_000_000,
        },
      },
    },
    { height: 75, reward: 200_000_000 },
    { height: 5000, fees: { staticFees: { transfer: 1 } } },
  ],
  exceptions: {},
};

export const publicKey = (index: number): string => `02${index.toString(16).padStart(64, '0')}`;

export const address = (index: number): string => `D${String(index).padStart(33, '0')}`;

/** Above 2^53, so that a test notices an id that becomes a number. */
export const blockId = (height: number): string => String(18_000_000_000_000_000_000n + BigInt(height));

/** The forgers of all blocks. */
export const publicKeys = [1, 2, 3, 4].map((number) => ({
  number,
  height: number,
  value: publicKey(number % ACTIVE_DELEGATES),
}));

export const blockRow = (height: number) => ({
  height,
  id: blockId(height),
  version: 0,
  timestamp: height === HEAD_HEIGHT ? HEAD_TIMESTAMP : (height - 1) * 8,
  previousBlock: height === 1 ? '0' : blockId(height - 1),
  numberOfTransactions: height % 3,
  totalAmount: height === 1 ? SUPPLY : BigInt(height),
  totalFee: BigInt(height) * 10_000_000n,
  reward: height < 75 ? 0n : 200_000_000n,
  payloadLength: 32 * (height % 3),
  payloadHash: 'cd'.repeat(32),
  generator: ((height - 1) % ACTIVE_DELEGATES) + 1,
  generatorPublicKey: publicKey(height % ACTIVE_DELEGATES),
  blockSignature: '30'.repeat(70),
});

interface DelegateOptions {
  readonly weight?: bigint;
  readonly isResigned?: boolean;
  readonly blocks?: readonly [produced: number, missed: number];
  readonly forged?: readonly [fees: bigint, rewards: bigint];
  readonly number?: number;
  readonly registered?: readonly [height: number, sequence: number];
}

const delegateRow = (index: number, username: string, options: DelegateOptions = {}) => {
  const {
    weight = 0n,
    isResigned = false,
    blocks = [0, 0],
    forged = [0n, 0n],
    number = index + 1,
    registered = [1, index],
  } = options;
  return {
    number,
    publicKey: publicKey(index),
    address: address(index),
    username,
    weight,
    isResigned,
    producedBlocks: blocks[0],
    missedBlocks: blocks[1],
    forgedFees: forged[0],
    forgedRewards: forged[1],
    registeredHeight: registered[0],
    registeredSequence: registered[1],
  };
};

/**
 * Listed by index. By rank they are 1, 0, 2, 3, 4, 5, 6, 7: 2 and 3 have the same weight, so their keys decide, and 7 has
 * resigned.
 */
export const delegates = [
  delegateRow(0, 'genesis_1', { weight: 500n, blocks: [30, 10], forged: [9n, 1n] }),
  delegateRow(1, 'Genesis%2', { weight: HUGE_BALANCE + 8n, blocks: [32, 0], forged: [HUGE_BALANCE, 4n] }),
  delegateRow(2, 'a\\b', { weight: 100n, blocks: [2, 1], forged: [3n, 5n] }),
  delegateRow(3, '1', { weight: 100n, blocks: [4, 2], forged: [8n, 0n] }),
  delegateRow(4, 'ünïted', { weight: 3n, number: 6, registered: [9, 0] }),
  delegateRow(5, 'ÜNÏTED', { weight: 2n, number: 7, registered: [9, 2] }),
  delegateRow(6, 'new', { number: 8, registered: [9, 10] }),
  delegateRow(7, 'genesis1', { weight: 10n ** 15n, isResigned: true, blocks: [1, 63], number: 5 }),
];

const accountRow = (index: number, balance: bigint, vote: number | null = null, locked = 0n) => ({
  number: index + 1,
  address: address(index),
  publicKey: publicKey(index),
  balance,
  locked,
  nonce: 0,
  vote: vote === null ? null : publicKey(vote),
});

/** Accounts 20 to 23 and delegate 0 vote for delegate 1. The balances of 21 and 22 are equal; 23's is all locked. */
export const accounts = [
  accountRow(0, 7n, 1),
  accountRow(1, 1n, 0),
  ...[2, 3, 4, 5, 6, 7].map((index) => accountRow(index, 0n)),
  accountRow(20, HUGE_BALANCE, 1),
  accountRow(22, 0n, 1),
  accountRow(21, 0n, 1),
  accountRow(23, -1n, 1, 2n),
];

/** The numbers of delegates, by index. */
export const numbersOf = (...indexes: readonly number[]): number[] =>
  indexes.map((index) => delegates[index]!.number);

/** The round of the head, and the next one. */
export const rounds = [
  { round: 33, firstHeight: 129, forgingOrder: numbersOf(3, 2, 1, 0) },
  { round: 34, firstHeight: 133, forgingOrder: numbersOf(0, 1, 2, 6) },
];
