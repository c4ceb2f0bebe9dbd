import { isDeepStrictEqual } from 'node:util';
import { InvalidBlockError, type Block, type Transaction } from '@roundhouse/chain';
import { presetExceptions, readLines, readNetwork, recordedBlocks } from '../checks/blocks.harness.js';
import { archiveLine, decodeBlock } from '../json/raw-block.js';
import { deserialiseTransaction } from './deserialise.js';
import { storedBytes } from './other-bytes.js';
import { checkTransactionIds } from './check-transactions.js';

const RECORDINGS = ['core-2.4', 'core-2.4-full', 'core-3.9'] as const;
const PUB_KEY_HASH = 23;
const plain = { pubKeyHash: PUB_KEY_HASH, exceptions: {} };

const chains = new Map(RECORDINGS.map((recording) => [recording, recordedBlocks(recording)]));

const [genesis] = chains.get('core-2.4')!;
const blockOf = (transactions: readonly Transaction[], height = 2): Block => ({
  ...genesis!,
  height,
  transactions,
});

const check = (transactions: readonly Transaction[], rules = plain): void => {
  checkTransactionIds(blockOf(transactions), rules);
};

const isRefused = (transaction: Transaction): boolean => {
  try {
    check([transaction]);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidBlockError);
    return true;
  }
};

/**
 * Whether a change is lost when the transaction is written as a line and read again. A line cannot hold every change:
 * there is no expiration in version 1, and no type group without a nonce.
 */
const isSame = (transaction: Transaction, mutated: Transaction): boolean => {
  try {
    return isDeepStrictEqual(decodeBlock(JSON.parse(archiveLine(blockOf([mutated])))).transactions, [
      transaction,
    ]);
  } catch {
    return false;
  }
};

/** The first transaction of each kind: of each version, type, and set of fields. */
const kinds = new Map<string, Transaction>();
for (const blocks of chains.values()) {
  for (const transaction of blocks.flatMap(({ transactions }) => transactions)) {
    const { version, typeGroup, type, nonce } = transaction;
    const fields = Object.entries({ ...transaction, ...transaction.asset }).filter(
      ([, value]) => value !== null,
    );
    const kind = `version ${version}, type ${typeGroup}/${type}${nonce === null ? '' : ' with a nonce'}`;
    const names = fields.map(([name]) => name).filter((name) => /field|ignature|payments/i.test(name));
    const key = `${kind}: ${names.join(', ')}`;
    if (!kinds.has(key)) kinds.set(key, transaction);
  }
}

const OTHER_ADDRESS = 'AdVSe37niA3uFUPgCgMUH2tMsHF4LpLoiX';

/** Other values of a field, each of the same form or absent. */
const othersOf = (field: string, value: unknown): unknown[] => {
  if (typeof value === 'number') return field === 'network' ? [value + 1] : [value + 1, value + 1000];
  if (typeof value === 'bigint') return [value + 1n, value + 2n ** 40n];
  if (typeof value === 'string') {
    const last = value.at(-1) === '1' ? '2' : '1';
    const swapped = field === 'recipientId' ? OTHER_ADDRESS : `${value.slice(0, -1)}${last}`;
    return /^[+-]/.test(value)
      ? [swapped, `${value.startsWith('+') ? '-' : '+'}${value.slice(1)}`]
      : [swapped];
  }
  if (value === null) return ABSENT[field] === undefined ? [] : [ABSENT[field]];
  return [];
};

/** Values for fields that a transaction does not have. */
const ABSENT: Readonly<Record<string, unknown>> = {
  recipientId: OTHER_ADDRESS,
  vendorField: '00ff',
  secondSignature: 'ab'.repeat(64),
  signatures: [`00${'ab'.repeat(64)}`],
};

/** Copies of a value. In each, one part is changed or one element of a list is left out; `path` says which. */
function* mutations(value: unknown, field = ''): Generator<readonly [path: string, mutated: unknown]> {
  for (const other of othersOf(field, value)) yield [`= ${String(other)}`, other];
  if (Array.isArray(value)) {
    for (const [place, element] of value.entries()) {
      yield [`[${place}] left out`, value.toSpliced(place, 1)];
      for (const [path, mutated] of mutations(element, field))
        yield [`[${place}]${path}`, value.with(place, mutated)];
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'id') {
        for (const [path, mutated] of mutations(part, key))
          yield [`.${key}${path}`, { ...value, [key]: mutated }];
      }
    }
  }
}

/** The only fields of these transactions that no id covers. */
const isUnsigned = ({ version }: Transaction, path: string): boolean =>
  version === 1 && path.startsWith('.asset.ipfs');

describe('the id of a transaction', () => {
  it.each(RECORDINGS)('is the hash of its fields in every block of %s', (recording) => {
    for (const block of chains.get(recording)!) checkTransactionIds(block, plain);
  });

  it.each(['mainnet', 'devnet', 'testnet'] as const)(
    'is the hash of its fields in the genesis block of the %s, too',
    (name) => {
      const { pubKeyHash, exceptions } = readNetwork(`libs/source/presets/${name}.json`);
      const [genesis] = recordedBlocks(`genesis/${name}.ndjson.gz`);
      expect(genesis!.transactions.length).toBe({ mainnet: 1492, devnet: 52, testnet: 153 }[name]);
      checkTransactionIds(genesis!, { pubKeyHash, exceptions });
    },
  );

  it('covers every field of each kind of transaction', () => {
    const accepted: string[] = [];
    let refused = 0;
    for (const [kind, transaction] of kinds) {
      expect(isRefused(transaction)).toBe(false);
      for (const [path, mutated] of mutations(transaction)) {
        if (isRefused(mutated as Transaction)) refused += 1;
        else if (!isUnsigned(transaction, path) && !isSame(transaction, mutated as Transaction))
          accepted.push(`${kind}: ${path}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(kinds.size).toBeGreaterThan(40);
    expect(refused).toBeGreaterThan(600);
  });

  const NO_NONCE = 'is of type 20 of type group 1 but has no nonce, a form that no node knows';
  const [transfer, other] = chains.get('core-3.9')![4]!.transactions as [Transaction, Transaction];

  it.each<[string, Partial<Transaction>, string]>([
    ['other contents', { amount: 7n }, 'has contents that give the id '],
    ['an unknown version', { version: 3 }, 'has version 3, which no node knows'],
    ['another network', { network: 30 }, 'is of network 30, but the chain is of network 23'],
    ['no recipient', { recipientId: null }, 'has no "recipientId"'],
    ['no address', { recipientId: 'A' }, 'has the recipient "A", which is not an address'],
    ['a field that its type does not sign', { type: 7 }, 'has a vendorField, which its type does not sign'],
    [
      'an unknown type',
      { typeGroup: 50, type: 1 },
      'is of type 0 of type group 1, but is given as type 1 of',
    ],
    ['no nonce in an unknown type', { nonce: null, timestamp: 1, type: 20 }, NO_NONCE],
  ])('refuses %s and says so', (_, change, problem) => {
    const wrong = { ...transfer, ...change };
    expect(() => check([other, wrong])).toThrow(`transaction ${transfer.id} ${problem}`);
  });

  it('refuses text that is not hexadecimal, even after the right bytes were written for the same place', () => {
    const [lock] = [...kinds.values()].filter(({ asset }) => asset?.lock !== undefined);
    const { secretHash, ...rest } = lock!.asset!.lock!;
    for (const wrong of [`${secretHash.slice(0, -1)}g`, 'zz'.repeat(32), secretHash.slice(1)]) {
      check([lock!]);
      const changed = { ...lock!, asset: { lock: { ...rest, secretHash: wrong } } };
      expect(() => check([changed])).toThrow(`transaction ${lock!.id} has a text that is not hexadecimal`);
    }
  });

  it('does not depend on the network in version 1, which in a genesis block may be that of the tool that made it', () => {
    const [registration] = genesis!.transactions.filter(({ type }) => type === 2);
    const ofTool = { ...registration!, network: 30 };
    expect(() => checkTransactionIds(blockOf([ofTool]), plain)).toThrow('is of network 30');
    checkTransactionIds(blockOf([ofTool], 1), plain);
  });

  it('is not checked if the type is unknown, because it cannot be computed', () => {
    check([{ ...transfer, typeGroup: 50, type: 1, asset: { other: { memo: 1 } }, id: 'ab'.repeat(32) }]);
  });

  it('may be another one if the network lists the transaction', () => {
    const wrong = { ...transfer, amount: 7n };
    expect(() => check([wrong])).toThrow(transfer.id);
    check([wrong], { ...plain, exceptions: { transactions: [transfer.id] } });
    const listed = presetExceptions('mainnet').transactionIdFixTable;
    expect(Object.keys(listed)).toHaveLength(1);
    const fixed = { ...transfer, id: 'cd'.repeat(32) };
    check([fixed], { ...plain, exceptions: { transactionIdFixTable: { [transfer.id]: fixed.id } } });
  });
});

describe('the bytes that a node stores of a transaction', () => {
  interface Row {
    readonly id: string;
    readonly serialized: string;
    readonly type_group?: number;
  }

  it.each(RECORDINGS)('can be decoded to its fields and encoded from them, in %s', (recording) => {
    const rows = new Map(
      readLines<Row>(`${recording}/core-database-transactions.ndjson.gz`).map((row) => [row.id, row]),
    );
    for (const block of chains.get(recording)!) {
      for (const transaction of block.transactions) {
        const { serialized, type_group: group } = rows.get(transaction.id)!;
        const bytes = Buffer.from(serialized.slice(2), 'hex');
        const { id: _, ...fields } = transaction;
        expect(deserialiseTransaction(bytes, group !== undefined)).toEqual(fields);
        // The node also stores the expiration of version 1, which is not signed.
        if (transaction.version > 1 || transaction.type !== 0)
          expect(storedBytes(transaction, PUB_KEY_HASH)).toEqual(bytes);
      }
    }
  });

  const twiceSigned = [...kinds.values()].find(
    ({ version, secondSignature }) => version === 1 && secondSignature !== null,
  )!;
  const stored = (transaction: Transaction): Buffer => Buffer.from(storedBytes(transaction, PUB_KEY_HASH));

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 40), 'is cut off'],
    ['without their first byte', (bytes: Buffer) => bytes.subarray(1), 'does not begin with the byte ff'],
    ['with more behind them', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(3)]), '3 bytes too many'],
  ])('are refused if they are %s', (_, change, problem) => {
    expect(() => deserialiseTransaction(change(stored(twiceSigned)), true)).toThrow(problem);
  });

  it('are read up to the payload if the type is unknown', () => {
    const [transfer] = chains.get('core-3.9')![4]!.transactions as [Transaction];
    const unknown = { ...transfer, typeGroup: 50 };
    expect(deserialiseTransaction(stored(unknown), true)).toMatchObject({
      typeGroup: 50,
      nonce: unknown.nonce,
      fee: unknown.fee,
      amount: null,
    });
  });
});
