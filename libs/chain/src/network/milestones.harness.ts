/** A first milestone, with all constants. */
export const FIRST = {
  height: 1,
  reward: 0,
  activeDelegates: 51,
  blocktime: 8,
  epoch: '2017-03-21T13:00:00.000Z',
  fees: { staticFees: { transfer: 10, secondSignature: 20, delegateRegistration: 30 } },
};

/** A configuration with this milestone only. */
export const CONFIGURATION = {
  network: {
    name: 'testnet',
    pubKeyHash: 23,
    nethash: 'D9ACD04BDE4234A81ADDB8482333B4AC906BED7BE5A9970CE8ADA428BD083192',
    client: { token: 'TARK', symbol: 'TѦ', explorer: 'http://explorer.invalid' },
  },
  milestones: [FIRST],
};
