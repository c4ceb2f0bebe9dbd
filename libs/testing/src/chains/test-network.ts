import { parseNetwork, type Network } from '@roundhouse/chain';

/** The first byte of an address. */
export const PREFIX = 23;

/**
 * A network with short rounds, so that few blocks cross many round ends: 5 delegates a round, 7 from height 41 on;
 * block time 2 s, 4 s from height 31 on; 2 tokens a block from height 12 on, one more from height 60 on. Its
 * first day ends after five minutes.
 */
export const testNetwork = (seed: number, nethash: string): Network =>
  parseNetwork({
    network: {
      name: `random-${seed}`,
      nethash,
      pubKeyHash: PREFIX,
      client: { token: 'RND', symbol: 'R', explorer: 'http://explorer.invalid' },
    },
    milestones: [
      {
        height: 1,
        reward: 0,
        activeDelegates: 5,
        blocktime: 2,
        epoch: '2017-03-21T23:55:00.000Z',
        block: { version: 0 },
        fees: {
          staticFees: {
            transfer: 10_000_000,
            secondSignature: 500_000_000,
            delegateRegistration: 2_500_000_000,
          },
        },
      },
      // Like Core 2.4, it accepts both versions of transactions: it has no key that only newer configurations have.
      { height: 2, aip11: true, aip37: true },
      { height: 12, reward: 200_000_000 },
      { height: 31, blocktime: 4 },
      { height: 41, activeDelegates: 7 },
      { height: 60, reward: 300_000_001 },
    ],
    exceptions: {},
  });
