import { InvalidBlockError, isExcepted, MilestoneSchedule, sha256, type Block } from '@roundhouse/chain';
import { archiveLine, decodeBlock } from '../json/raw-block.js';
import { aBlock, aTransaction, hashOf, presetExceptions, readNetwork } from './blocks.harness.js';
import { recordedBlocks } from './blocks.harness.js';
import { assertLinked, checkBlock, headerBytes, type BlockRules } from './check-block.js';

const network = readNetwork('test-data/core-2.4/network.json');
const constants = new MilestoneSchedule(network.milestones).at(1);
const { nethash, pubKeyHash } = network;
const plain: BlockRules = { nethash, pubKeyHash, exceptions: {}, constants };
const fullIds = { ...plain, constants: { ...constants, idFullSha256: true } };
const mainnet = presetExceptions('mainnet');
const devnet = presetExceptions('devnet');

const transactions = ['a', 'b', 'c'].map((name) => aTransaction(hashOf(name)));
const block = aBlock(transactions);

/** A transaction of each id. */
const madeOf = (ids: readonly string[]) => ids.map((id) => aTransaction(id));

const stating = (change: Partial<Block>): Block => aBlock(transactions, change);
const ANOTHER = hashOf('another');

const read = (line: string): Block => decodeBlock(JSON.parse(line));

const refusalOf = (wrong: Block): unknown => {
  try {
    return checkBlock(wrong, plain);
  } catch (error) {
    return error;
  }
};

describe('checkBlock', () => {
  it.each(['core-2.4', 'core-3.9'] as const)(
    'returns every block that a %s node forged unchanged',
    (recording) => {
      const { milestones, ...rules } = readNetwork(`test-data/${recording}/network.json`);
      const schedule = new MilestoneSchedule(milestones);
      const blocks = recordedBlocks(recording);
      expect(blocks).toHaveLength(322);
      for (const recorded of blocks) {
        expect(checkBlock(recorded, { ...rules, constants: schedule.at(recorded.height) })).toBe(recorded);
        expect(read(archiveLine(recorded))).toEqual(recorded);
      }
    },
  );

  it.each<[string, Block, string]>([
    ['another id', { ...block, id: '1' }, `its id is 1, but its contents give ${block.id}`],
    ['a header that its id does not cover', { ...block, timestamp: 24 }, 'but its contents give'],
    ['a signature that its id does not cover', { ...block, blockSignature: '3044ac' }, 'its contents give'],
    ['another payload hash', aBlock(transactions, { payloadHash: hashOf('?') }), 'its transactions give'],
    ['another order', { ...block, transactions: transactions.toReversed() }, 'but its transactions give'],
    ['too few', { ...block, transactions: transactions.slice(1) }, 'it states 3 transactions, but 2 came'],
    ['too many', { ...block, transactions: [...transactions, aTransaction(ANOTHER)] }, 'but 4 came with it'],
    ['an amount one off', stating({ totalAmount: 27021597764222980n }), '27021597764222979 is right'],
    ['a total fee that is off', stating({ totalFee: 31n }), 'its totalFee is 31, but 30 is right'],
    [
      'one without its id',
      aBlock([aTransaction(ANOTHER, { typeGroup: 1 })]),
      'has contents that give the id',
    ],
    ['another reward than its milestone', stating({ reward: 1n }), 'its reward is 1, but 0 is right'],
  ])('refuses a block with %s and names the height', (_wrong, wrong, message) => {
    expect(refusalOf(wrong)).toBeInstanceOf(InvalidBlockError);
    expect(refusalOf(wrong)).toMatchObject({
      height: 3,
      message: expect.stringContaining(message) as string,
    });
  });

  const GENESIS = { height: 1, previousBlock: '0', payloadHash: nethash };

  it('accepts only the genesis block whose payload hash is the nethash of the network', () => {
    const ours = aBlock(transactions, GENESIS);
    expect(checkBlock(ours, plain)).toBe(ours);
    const another = aBlock(transactions, { ...GENESIS, payloadHash: ANOTHER });
    expect(() => checkBlock(another, plain)).toThrow(
      `the genesis block's payloadHash is ${ANOTHER}, but the network's nethash is ${nethash}`,
    );
  });

  it("fills in the chain's network where a source shows none, and keeps any that the genesis block states", () => {
    const silent = aBlock([aTransaction(ANOTHER, { network: null })]);
    expect(checkBlock(silent, plain)).toEqual({
      ...silent,
      transactions: [{ ...silent.transactions[0]!, network: pubKeyHash }],
    });
    const [recorded] = recordedBlocks('core-2.4');
    const with30 = recorded!.transactions.map((each) => ({ ...each, network: 30 }));
    const genesis = { ...recorded!, transactions: with30 };
    expect(checkBlock(genesis, plain)).toBe(genesis);
  });

  it('accepts a genesis block without the reward of its milestone', () => {
    const rules = { ...plain, constants: { ...constants, reward: 2n } };
    const genesis = aBlock(transactions, GENESIS);
    expect(checkBlock(genesis, rules)).toBe(genesis);
    expect(() => checkBlock(block, rules)).toThrow('its reward is 0, but 2 is right');
  });

  it('accepts a genesis block that names its absence of a previous block with 64 zeros, and hashes 8 or 32', () => {
    const genesis = aBlock(transactions, GENESIS, true);
    const previousBlock = '0'.repeat(64);
    const header = headerBytes({ ...genesis, height: 2, previousBlock });
    header.writeUInt32LE(1, 8);
    const ofCore3 = { ...genesis, id: sha256(header).toString('hex') };
    expect(ofCore3.id).not.toBe(genesis.id);
    for (const made of [genesis, ofCore3]) {
      expect(checkBlock(made, fullIds)).toBe(made);
      expect(() => checkBlock({ ...made, timestamp: 8 }, fullIds)).toThrow(`its id is ${made.id}`);
      // Tables and archives of ours have one zero.
      expect(read(archiveLine({ ...made, previousBlock }))).toEqual({ ...made, previousBlock: '0' });
    }
    expect(() => checkBlock(ofCore3, plain)).toThrow(`its id is ${ofCore3.id}`);
  });

  it('requires the full hash as id if the milestone says so', () => {
    const full = aBlock(transactions, {}, true);
    expect(checkBlock(full, fullIds)).toBe(full);
    expect(() => checkBlock(block, fullIds)).toThrow(
      `its id is ${block.id}, but its contents give ${full.id}`,
    );
    expect(() => checkBlock(full, plain)).toThrow(`its id is ${full.id}, but its contents give ${block.id}`);
  });
});

describe("a network's exceptions", () => {
  it('accept a block in the outlook table only with the id that the table gives it', () => {
    const [, otherId] = Object.entries(mainnet.outlookTable)[0]!;
    const exceptions = { ...mainnet, outlookTable: { ...mainnet.outlookTable, [block.id]: otherId } };
    const rules = { ...plain, exceptions };
    expect(checkBlock({ ...block, id: otherId }, rules).id).toBe(otherId);
    expect(() => checkBlock(block, rules)).toThrow(`its id is ${block.id}, but its contents give ${otherId}`);
    expect(() => checkBlock({ ...block, id: '1' }, rules)).toThrow('its id is 1');
    const another = aBlock([], { timestamp: 24 });
    expect(() => checkBlock({ ...another, id: otherId }, rules)).toThrow(`its contents give ${another.id}`);
  });

  const excepted = [mainnet, devnet].flatMap((exceptions) =>
    exceptions.blocks.map((id) => ({ id, exceptions, ids: exceptions.blocksTransactions[id]! })),
  );
  const WRONG = { payloadHash: ANOTHER, totalAmount: 1n, totalFee: 1n, reward: 1n, numberOfTransactions: 9 };
  const wrongInAll = (id: string, ids: readonly string[]): Block => ({ ...aBlock(madeOf(ids), WRONG), id });

  it('accept every listed block with exactly its listed transactions, whatever else is wrong with it', () => {
    expect(excepted).toHaveLength(77);
    for (const { id, exceptions, ids } of excepted) {
      const listed = wrongInAll(id, [...ids].reverse());
      expect(checkBlock(listed, { ...plain, exceptions })).toBe(listed);
      expect(isExcepted(listed, exceptions)).toBe(true);
    }
  });

  it('refuse a listed block with an additional, a missing or another transaction', () => {
    for (const { id, exceptions, ids } of excepted) {
      const others = [[...ids, hashOf('one more')], ids.slice(1), [...ids.slice(1), ANOTHER]];
      for (const other of others.filter((list) => list.join() !== ids.join())) {
        const block = wrongInAll(id, other);
        expect(isExcepted(block, exceptions)).toBe(false);
        expect(() => checkBlock(block, { ...plain, exceptions })).toThrow(`its id is ${id}`);
      }
    }
  });

  it('do not excuse a block with a similar id, or one that another network lists', () => {
    const { id, ids } = excepted[0]!;
    expect(isExcepted(wrongInAll(`${id}1`, ids), mainnet)).toBe(false);
    expect(isExcepted(wrongInAll(id, ids), devnet)).toBe(false);
  });

  it('accept a listed block by its id alone if it is a full hash, or if the network lists no transactions', () => {
    const byId = { blocks: [ANOTHER], blocksTransactions: {} };
    expect(isExcepted(wrongInAll(ANOTHER, [hashOf('a')]), byId)).toBe(true);
    // Exceptions from a node of line 2.x have no `blocksTransactions`.
    const { id, ids } = excepted[0]!;
    expect(isExcepted(wrongInAll(id, ids), { blocks: mainnet.blocks })).toBe(true);
    expect(isExcepted(wrongInAll(id, []), { ...mainnet, blocksTransactions: {} })).toBe(false);
  });

  it('do not excuse a wrong payload hash because a transaction is listed', () => {
    for (const exceptions of [mainnet, devnet]) {
      const listed = aBlock(madeOf(exceptions.transactions.slice(0, 3)));
      expect(checkBlock(listed, { ...plain, exceptions })).toBe(listed);
      const [first, ...rest] = listed.transactions;
      const moved = { ...listed, transactions: [...rest, first!] };
      expect(() => checkBlock(moved, { ...plain, exceptions })).toThrow('its payloadHash is');
    }
  });

  it('sort the transactions of a block with a wrong order into the listed order', () => {
    const orders = Object.entries(mainnet.wrongTransactionOrder);
    expect(orders).toHaveLength(2);
    for (const [, ids] of orders) {
      const received = aBlock(madeOf(ids.toReversed()));
      // A test block cannot have a listed id, so the table gets the id of this block instead.
      const exceptions = { ...mainnet, wrongTransactionOrder: { [received.id]: ids } };
      const checked = checkBlock(received, { ...plain, exceptions });
      expect(checked.transactions.map(({ id }) => id)).toEqual(ids);
      expect(checked).toEqual({ ...received, transactions: checked.transactions });
      const inOrder = aBlock(checked.transactions, { payloadHash: received.payloadHash });
      expect(checkBlock(inOrder, { ...plain, exceptions }).transactions).toEqual(checked.transactions);
    }
  });

  it('refuse a block with a wrong order if its transactions are not the listed ones', () => {
    const ids = Object.values(mainnet.wrongTransactionOrder)[0]!;
    for (const second of [ids[0]!, ANOTHER]) {
      const asListed = { payloadHash: hashOf('as the listed block had it') };
      const received = aBlock(madeOf([ids[0]!, second]), asListed);
      const exceptions = { ...mainnet, wrongTransactionOrder: { [received.id]: ids } };
      expect(() => checkBlock(received, { ...plain, exceptions })).toThrow('its payloadHash is');
    }
  });

  it('replace the id of a transaction in the fix table, also in the payload hash', () => {
    const [computed, fixed] = Object.entries(mainnet.transactionIdFixTable)[0]!;
    const [before, after] = [aTransaction(hashOf('before')), aTransaction(hashOf('after'))];
    const right = aBlock([before, aTransaction(fixed), after]);
    const received = { ...right, transactions: [before, aTransaction(computed), after] };
    const rules = { ...plain, exceptions: mainnet };
    expect(checkBlock(received, rules)).toEqual(right);
    expect(checkBlock(right, rules)).toBe(right);
    expect(() => checkBlock(received, plain)).toThrow('its payloadHash is');
  });
});

describe('assertLinked', () => {
  const previous = { height: 2, id: block.previousBlock };

  it.each([
    ['a gap', { height: 4 }, previous, 'height 4 came instead of height 3'],
    ['a repeated height', { height: 2 }, previous, 'height 2 came instead of height 3'],
    ['a broken link', { previousBlock: '7' }, previous, `is 7, the block before it is ${previous.id}`],
    ['a genesis block that links to another block', { height: 1 }, null, 'the block before it is 0'],
  ])('refuses %s', (_wrong, change, before, message) => {
    expect(() => assertLinked(aBlock([], change), before)).toThrow(message);
  });
});
