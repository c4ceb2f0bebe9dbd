import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppProcess, freePort } from '@roundhouse/testing';
import { DisturbedStack } from '../disturbed-stack.js';
import { describePrograms, Programs, type CallProgram } from './programs.js';

type Row = Readonly<Record<string, unknown>>;

const HISTORY = 160;

/** Amounts are numbers in version 1 and text in Core 3; here they have no more than 15 digits. */
const picked = (row: Row, names: readonly string[]): string[] => names.map((name) => String(row[name]));

const BLOCK = [
  'id',
  'height',
  'timestamp',
  'previousBlock',
  'numberOfTransactions',
  'totalAmount',
  'totalFee',
  'reward',
  'payloadLength',
  'payloadHash',
  'generatorPublicKey',
  'blockSignature',
];

const transactionOf = (row: Row, blockId: unknown): string[] => [
  String(blockId),
  ...picked(row, ['id', 'amount', 'fee', 'senderPublicKey']),
  // For other types, nodes of 2.4 showed no recipient, or the sender.
  String(row['type'] === 0 ? row['recipientId'] : ''),
];

describePrograms('programs that spoke to real nodes, on a chain that a devnet forged', () => {
  let folder: string;
  let devnet: AppProcess;
  let nodeUrl: string;
  let stack: DisturbedStack;
  let programs: Programs;
  let arkTs: CallProgram;
  let arkClient: CallProgram;

  /** The `data` of the devnet's own answer. */
  const node = async <T = Row>(path: string): Promise<T> =>
    ((await (await fetch(`${nodeUrl}/api/${path}`)).json()) as { data: T }).data;

  beforeAll(async () => {
    programs = new Programs();
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-devnet-'));
    const port = await freePort();
    nodeUrl = `http://127.0.0.1:${port}`;
    devnet = new AppProcess('devnet', ['run'], {
      DATA_DIR: folder,
      DEVNET_PORT: String(port),
      DEVNET_HISTORY: String(HISTORY),
      DEVNET_CONTROL: 'true',
    });
    await devnet.answers(`${nodeUrl}/api/node/status`);
    // Both are asked one after the other, so the head must stay.
    await fetch(`${nodeUrl}/devnet/pause`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    stack = await DisturbedStack.start(nodeUrl);
    await stack.reach(await node<{ id: string }>('blocks/last'));
    arkTs = programs.of('ark-ts', stack.api.coreV1Url!);
    arkClient = programs.of('client of version 1', stack.api.coreV1Url!);
  });

  afterAll(async () => {
    await stack.stop();
    await devnet.kill('SIGTERM');
    await rm(folder, { recursive: true });
    await programs.end();
  });

  it('read the height and the supply of the node', async () => {
    const { block, supply } = await node<{ block: { height: number }; supply: string }>('blockchain');
    expect(block.height).toBeGreaterThanOrEqual(HISTORY);
    expect(await arkClient('blocks', 'height')).toMatchObject({ height: block.height });
    expect(await arkTs('block', 'blockchainHeight')).toMatchObject({ height: block.height });
    // The program reads it as a double, which may not have its last digit.
    expect(await arkClient('blocks', 'supply')).toMatchObject({ supply: JSON.parse(supply) as unknown });
  });

  it('read the blocks of the node', async () => {
    const expected = await node<Row[]>('blocks?limit=100&transform=false');
    const { blocks } = (await arkClient('blocks', 'all', { limit: 100 })) as { blocks: Row[] };
    expect(blocks.map((block) => picked(block, BLOCK))).toEqual(
      expected.map((block) => picked(block, BLOCK)),
    );
    for (const { id, height, reward } of expected.slice(0, 3)) {
      const { block } = (await arkTs('block', 'get', { id })) as { block: Row };
      expect(picked(block, ['id', 'height', 'reward'])).toEqual([id, height, reward].map(String));
    }
  });

  it('read the transactions of the node', async () => {
    const expected = await node<Row[]>('transactions?limit=100&transform=false');
    const { transactions } = (await arkClient('transactions', 'all', { limit: 100, offset: 0 })) as {
      transactions: Row[];
    };
    expect(transactions.map((row) => transactionOf(row, row['blockid']))).toEqual(
      expected.map((row) => transactionOf(row, row['blockId'])),
    );
    expect(new Set(expected.map(({ type }) => type)).size).toBeGreaterThan(2);
    for (const row of expected.slice(0, 3)) {
      const { transaction } = (await arkTs('transaction', 'get', row['id'])) as { transaction: Row };
      expect(picked(transaction, ['id', 'amount', 'fee'])).toEqual(picked(row, ['id', 'amount', 'fee']));
    }
  });

  it('read the balances of the node', async () => {
    const expected = await node<Row[]>('wallets?limit=100');
    const { accounts } = (await arkClient('accounts', 'top', { limit: 100 })) as { accounts: Row[] };
    expect(accounts.map(({ balance }) => balance)).toEqual(expected.map(({ balance }) => balance));
    for (const { address, balance } of accounts.slice(0, 10)) {
      expect((await node(`wallets/${String(address)}`))['balance']).toBe(balance);
      const { account } = (await arkTs('account', 'get', { address })) as { account: Row };
      expect(String(account['balance'])).toBe(balance);
    }
  });

  it('read the delegates of the node, with their weights, blocks and forged totals', async () => {
    interface NodeDelegate extends Row {
      readonly votes: string;
      readonly blocks: { readonly produced: number };
      readonly forged: { readonly fees: string; readonly rewards: string; readonly total: string };
    }
    const all = await node<NodeDelegate[]>('delegates?limit=100');
    const byKey = new Map(all.map((delegate) => [delegate['publicKey'], delegate]));
    const { delegates } = (await arkClient('delegates', 'all', {})) as { delegates: Row[] };
    expect(delegates.length).toBeGreaterThan(5);
    for (const row of delegates) {
      const delegate = byKey.get(row['publicKey'])!;
      expect(row).toMatchObject({
        username: delegate['username'],
        address: delegate['address'],
        vote: delegate.votes,
        producedblocks: delegate.blocks.produced,
      });
      const forged = (await arkClient('delegates', 'forged', row['publicKey'])) as Row;
      expect(picked(forged, ['fees', 'rewards', 'forged'])).toEqual([
        delegate.forged.fees,
        delegate.forged.rewards,
        delegate.forged.total,
      ]);
      const voters = await node<Row[]>(`delegates/${String(row['publicKey'])}/voters?limit=100`);
      const { accounts } = (await arkClient('delegates', 'voters', row['publicKey'])) as {
        accounts: Row[];
      };
      const balances = (rows: readonly Row[]) =>
        rows.map((each) => picked(each, ['address', 'balance'])).sort();
      expect(balances(accounts)).toEqual(balances(voters));
    }
  });
});
