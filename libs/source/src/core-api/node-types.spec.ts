import { OLD_TYPES, TYPES } from './core-node.harness.js';
import { decodeNodeTypes, nameOf, readNodeTypes } from './chain-problem.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';

const foreignIn = (answer: unknown): string[] =>
  decodeNodeTypes(answer)
    .filter(({ isForeign }) => isForeign)
    .map(nameOf);

/** As Solar 4.3.1 answers. */
const SOLAR = {
  '1': {
    LegacyTransfer: 0,
    SecondSignature: 1,
    DelegateRegistration: 2,
    LegacyVote: 3,
    Transfer: 6,
    HtlcLock: 8,
  },
  '2': { Burn: 0, Vote: 2 },
};

describe('the types that a node knows', () => {
  it.each([
    ['Core 2.4', OLD_TYPES],
    ['Core 3.9', TYPES],
    ['Core 2.6 before AIP 11', { '1': { Transfer: 0, Vote: 3 } }],
    ['a bridgechain with plugins', { ...TYPES, '4242': { Morpheus: 1 }, '4241': { Coeus: 1 } }],
    ['a newer Core', { ...TYPES, '1': { ...TYPES['1'], BlsRegistration: 11 } }],
  ])('can all be indexed if they are those of %s', (_, answer) => {
    expect(foreignIn(answer)).toEqual([]);
    expect(decodeNodeTypes(answer).length).toBeGreaterThan(1);
  });

  it("are refused if they are Solar's: known numbers with other meanings", () => {
    expect(foreignIn(SOLAR)).toEqual([
      'LegacyTransfer (type 0 of type group 1)',
      'LegacyVote (type 3 of type group 1)',
      'Transfer (type 6 of type group 1)',
      'Burn (type 0 of type group 2)',
      'Vote (type 2 of type group 2)',
    ]);
  });

  it("are refused if they are Compendia's stakes", () => {
    expect(foreignIn({ ...TYPES, '100': { StakeCreate: 0 } })).toEqual([
      'StakeCreate (type 0 of type group 100)',
    ]);
  });

  it('are refused without type groups if a number is none of the old ones', () => {
    expect(foreignIn({ ...OLD_TYPES, Machine: 9 })).toEqual(['Machine (type 9 of type group 1)']);
  });

  it.each([
    ['has no such answer', () => Promise.resolve(null)],
    ['answers something else', () => Promise.resolve({ '1': { Transfer: 'none' } })],
    ['forbids the request', () => Promise.reject(new NodeProtocolError('node', 'status 403'))],
    ['fails at it', () => Promise.reject(new NodeUnavailableError('node', 'http-5xx', 'status 500'))],
  ])('are not known if the node %s', async (_, find) => {
    expect(await readNodeTypes(find)).toEqual([]);
  });

  it('are asked for again if the node is away', async () => {
    const away = new NodeUnavailableError('node', 'refused', 'gone');
    await expect(readNodeTypes(() => Promise.reject(away))).rejects.toBe(away);
  });
});
