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

  it('accepts every form of exceptions that Core has, and unknown keys', () => {
    const exceptions = {
      blocks: ['1'],
      transactions: ['ab'],
      outlookTable: { '1': '2' },
      transactionIdFixTable: { ab: 'cd' },
      wrongTransactionOrder: { '1': ['ab', 'cd'] },
      blocksTransactions: { '1': [] },
      negativeBalances: { '02ab': { '1': '-5', '2': -5n } },
      yetToCome: 7,
    };
    expect(parseNetwork({ ...config, exceptions }).exceptions).toEqual(exceptions);
    expect(parseNetwork({ ...config, exceptions: null }).exceptions).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'an object at "exceptions"'],
    ['blocks as an object', { blocks: { '1': true } }, 'a list at "exceptions.blocks"'],
    ['a block as a number', { blocks: ['1', 2] }, 'text at "exceptions.blocks[1]"'],
    ['transactions as text', { transactions: 'ab' }, 'a list at "exceptions.transactions"'],
    ['a table as a list', { outlookTable: ['1'] }, 'an object at "exceptions.outlookTable"'],
    ['null in a table', { outlookTable: { '1': null } }, 'text at "exceptions.outlookTable.1"'],
    [
      'a list in a table of texts',
      { transactionIdFixTable: { ab: ['cd'] } },
      'text at "exceptions.transactionIdFixTable.ab"',
    ],
    [
      'text instead of an order',
      { wrongTransactionOrder: { '1': 'ab' } },
      'a list at "exceptions.wrongTransactionOrder.1"',
    ],
    [
      'a number among transactions',
      { blocksTransactions: { '1': [7] } },
      'text at "exceptions.blocksTransactions.1[0]"',
    ],
    [
      'a balance that is not a number',
      { negativeBalances: { '02ab': { '1': 'much' } } },
      'a whole number at "exceptions.negativeBalances.02ab.1"',
    ],
  ])('rejects exceptions with %s, and names the path', (_, exceptions, needed) => {
    expect(() => parseNetwork({ ...config, exceptions })).toThrow(
      new NetworkConfigError(`The network configuration needs ${needed}.`),
    );
  });

  it.each([
    ['nothing', null],
    ['no milestones', { network: config.network }],
    ['an invalid nethash', { ...config, network: { ...config.network, nethash: 'abc' } }],
    ['an invalid byte', { ...config, network: { ...config.network, pubKeyHash: 256 } }],
    ['no token', { ...config, network: { ...config.network, client: {} } }],
    ['a milestone without a height', { ...config, milestones: [{}] }],
    [
      'a milestone with a height that no block has',
      { ...config, milestones: [...config.milestones, { height: 2 ** 31 }] },
    ],
    ['a byte as a list', { ...config, network: { ...config.network, pubKeyHash: [23] } }],
    ['milestones that lack constants', { ...config, milestones: [{ height: 1 }] }],
  ])('refuses %s', (_, wrong) => {
    expect(() => parseNetwork(wrong)).toThrow(NetworkConfigError);
  });
});
