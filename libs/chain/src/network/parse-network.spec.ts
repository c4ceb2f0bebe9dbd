import { describe, expect, it } from '@jest/globals';
import { NetworkConfigError } from '../errors/chain-error.js';
import { parseNetwork } from './parse-network.js';

const config = {
  network: {
    name: 'testnet',
    nethash: 'D9ACD04BDE4234A81ADDB8482333B4AC906BED7BE5A9970CE8ADA428BD083192',
    pubKeyHash: 23,
    client: { token: 'TARK', symbol: 'TѦ', explorer: 'http://explorer.invalid' },
  },
  milestones: [
    {
      height: 1,
      reward: 0,
      activeDelegates: 51,
      blocktime: 8,
      epoch: '2017-03-21T13:00:00.000Z',
      fees: { staticFees: { transfer: 1, secondSignature: 2, delegateRegistration: 3 } },
    },
  ],
};

describe('parseNetwork', () => {
  it('reads network, milestones and exceptions, which may be absent', () => {
    expect(parseNetwork(config)).toMatchObject({
      name: 'testnet',
      nethash: config.network.nethash.toLowerCase(),
      pubKeyHash: 23,
      token: 'TARK',
      symbol: 'TѦ',
      exceptions: {},
    });
  });

  it.each([
    ['nothing', null],
    ['no milestones', { network: config.network }],
    ['a nethash that is none', { ...config, network: { ...config.network, nethash: 'abc' } }],
    ['a byte that is none', { ...config, network: { ...config.network, pubKeyHash: 256 } }],
    ['no token', { ...config, network: { ...config.network, client: {} } }],
    ['a milestone without a height', { ...config, milestones: [{}] }],
    ['milestones that lack constants', { ...config, milestones: [{ height: 1 }] }],
  ])('refuses %s', (_, wrong) => {
    expect(() => parseNetwork(wrong)).toThrow(NetworkConfigError);
  });
});
