import { NetworkConfigError } from '../errors/chain-error.js';
import { CONFIGURATION } from './milestones.harness.js';
import { parseNetwork } from './parse-network.js';

const { network, milestones } = CONFIGURATION;

const withNetwork = (change: object): unknown => ({ milestones, network: { ...network, ...change } });

describe('parseNetwork', () => {
  it('reads network, milestones and exceptions, which may be absent', () => {
    expect(parseNetwork(CONFIGURATION)).toMatchObject({
      name: 'testnet',
      nethash: network.nethash.toLowerCase(),
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
    expect(parseNetwork({ ...CONFIGURATION, exceptions }).exceptions).toEqual(exceptions);
    expect(parseNetwork({ ...CONFIGURATION, exceptions: null }).exceptions).toEqual({});
  });

  it.each<[string, unknown, string, string]>([
    ['no object', [], 'an object', ''],
    ['blocks as an object', { blocks: { '1': true } }, 'a list', '.blocks'],
    ['a block as a number', { blocks: ['1', 2] }, 'text', '.blocks[1]'],
    ['transactions as text', { transactions: 'ab' }, 'a list', '.transactions'],
    ['a table as a list', { outlookTable: ['1'] }, 'an object', '.outlookTable'],
    ['null in a table', { outlookTable: { '1': null } }, 'text', '.outlookTable.1'],
    ['a list of texts', { transactionIdFixTable: { ab: ['cd'] } }, 'text', '.transactionIdFixTable.ab'],
    ['no order', { wrongTransactionOrder: { '1': 'ab' } }, 'a list', '.wrongTransactionOrder.1'],
    ['a number as an id', { blocksTransactions: { '1': [7] } }, 'text', '.blocksTransactions.1[0]'],
    ['a word', { negativeBalances: { a: { '1': 'much' } } }, 'a whole number', '.negativeBalances.a.1'],
  ])('rejects exceptions with %s, and names the path', (_, exceptions, needed, path) => {
    expect(() => parseNetwork({ ...CONFIGURATION, exceptions })).toThrow(
      new NetworkConfigError(`The network configuration needs ${needed} at "exceptions${path}".`),
    );
  });

  it('reads the types that only this chain has', () => {
    const customTypes = [{ typeGroup: 7, type: 0, moves: 'transfer' }];
    expect(parseNetwork({ ...CONFIGURATION, customTypes }).customTypes).toEqual(customTypes);
  });

  it.each([
    ['a custom type that moves nothing', { ...CONFIGURATION, customTypes: [{ typeGroup: 7, type: 0 }] }],
    ['custom types as an object', { ...CONFIGURATION, customTypes: {} }],
    ['nothing', null],
    ['no milestones', { network }],
    ['an invalid nethash', withNetwork({ nethash: 'abc' })],
    ['an invalid byte', withNetwork({ pubKeyHash: 256 })],
    ['no token', withNetwork({ client: {} })],
    ['a milestone without a height', { network, milestones: [{}] }],
    ['a height that no block has', { network, milestones: [...milestones, { height: 2 ** 31 }] }],
    ['a byte as a list', withNetwork({ pubKeyHash: [23] })],
    ['milestones that lack constants', { network, milestones: [{ height: 1 }] }],
  ])('refuses %s', (_, wrong) => {
    expect(() => parseNetwork(wrong)).toThrow(NetworkConfigError);
  });
});
