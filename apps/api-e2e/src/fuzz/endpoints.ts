import { writeAccountChangeCursor, writeAccountCursor, writeTransactionCursor } from '@roundhouse/dto';
import * as chain from '../support/hand-made-chain.js';

/** What the contract says about a value: it is valid, malformed, or well-formed but matches nothing. */
type Verdict = 'valid' | 'malformed' | 'unmatched';

/** Encoded, as in a URL. */
type Value = readonly [text: string, verdict: Verdict];

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly values: readonly Value[];
}

export interface Endpoint {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Whether one of the parameters suffices. */
  readonly areAlternatives?: boolean;
  /** Whether its path names nothing. */
  readonly isMissing?: boolean;
}

const all = (verdict: Verdict, texts: readonly (string | number)[]): Value[] =>
  texts.map((text) => [String(text), verdict]);

const NO_WHOLE_NUMBERS = all('malformed', [
  ...[
    '',
    '-1',
    '-0',
    '1.5',
    '1e3',
    'abc',
    '0x10',
    'NaN',
    'Infinity',
    'null',
    'true',
    '[]',
    '{}',
    '1,2',
    '1_0',
  ],
  ...['+1', '%2B1', '1%20', '%201', '1%0A', '1%0D%0A', '%EF%BC%91', '%D9%A3', '%E2%82%81', '1n', "1'", '1;2'],
  ...['9'.repeat(16), '9'.repeat(400), `0${'0'.repeat(15)}`, '__proto__', 'constructor', '1%3Bdrop', '--1'],
]);

const limit = (most: number): Parameter => ({
  name: 'limit',
  isRequired: false,
  values: [
    ...all('valid', [1, 2, most, '01', '000000000000001', '%31', '2']),
    ...all('malformed', [0, '00', most + 1, 999_999_999_999_999, 2 ** 31, 2 ** 32, 2 ** 53 - 1]),
    ...NO_WHOLE_NUMBERS,
  ],
});

const voterLimit: Parameter = {
  name: 'limit',
  isRequired: false,
  values: [
    ...all('valid', [1, 2, 101, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...all('malformed', [0]),
    ...NO_WHOLE_NUMBERS,
  ],
};

const offset: Parameter = {
  name: 'offset',
  isRequired: false,
  values: [
    ...all('valid', [0, '000', 1, 5, 129, 130, 131, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...NO_WHOLE_NUMBERS,
  ],
};

const COLUMNS = [
  ...['rank', 'username', 'address', 'publicKey', 'vote', 'producedblocks', 'missedblocks', 'productivity'],
  ...['forged', 'rate', 'votes', 'approval', '1', '2', '3', '4'],
];

const orderBy: Parameter = {
  name: 'orderBy',
  isRequired: false,
  values: [
    ...all('valid', [...COLUMNS, ...COLUMNS.map((name) => `${name}:desc`), 'rank:asc', 'vote%3Adesc']),
    ...all('malformed', ['', ':', ':asc', 'rank:', 'rank:up', 'rank:asc:desc', 'rank desc', '0', '5', '-1']),
    ...all('malformed', ['__proto__', 'constructor', 'toString', 'hasOwnProperty:asc', 'rank:constructor']),
    ...all('malformed', ['rank;drop', 'username,address', '1%27', 'balance', 'rank%20']),
  ],
};

const blockId: Parameter = {
  name: 'id',
  isRequired: true,
  values: [
    ...all('valid', [1, 2, 74, 75, 129, 130].map(chain.blockId)),
    ...all('unmatched', ['0', '1', '130', '18446744073709551615', chain.blockId(131)]),
    ...all('malformed', [
      '',
      '18446744073709551616',
      '9'.repeat(20),
      '1'.repeat(21),
      '-1',
      '1.0',
      'abc',
      '0x1',
    ]),
    // Hexadecimal ids belong to chains whose milestones use them.
    ...all('malformed', ['ab'.repeat(32), 'genesis', '%20', '1%20', '__proto__', '1e3', '%F0%9F%98%80']),
  ],
};

const publicKey = (name: string, isRequired: boolean): Parameter => ({
  name,
  isRequired,
  values: [
    ...all('valid', [0, 1, 4, 7].map(chain.publicKey)),
    ...all('unmatched', [
      `03${'f'.repeat(64)}`,
      `03${'F'.repeat(64)}`,
      chain.publicKey(20),
      `02${'0'.repeat(63)}9`,
    ]),
    ...all('malformed', [
      '',
      '02',
      chain.publicKey(0).slice(1),
      `${chain.publicKey(0)}0`,
      `04${'0'.repeat(64)}`,
    ]),
    ...all('malformed', [`02${'g'.repeat(64)}`, `02${'0'.repeat(63)}%20`, '0'.repeat(66), '__proto__']),
    ...all('malformed', [`%EF%BC%90${chain.publicKey(0).slice(1)}`, 'x'.repeat(3000)]),
  ],
});

const username: Parameter = {
  name: 'username',
  isRequired: false,
  values: [
    ...all(
      'valid',
      chain.delegates.map((delegate) => encodeURIComponent(delegate.username)),
    ),
    ...all('unmatched', [
      'nobody',
      'GENESIS_1',
      'Genesis%25252',
      '%27',
      '%27%20OR%201=1--',
      '__proto__',
      '_',
      '%25',
    ]),
    ...all('unmatched', ['a'.repeat(20), '%5C', '%20new', 'new%20', '%E2%80%8B', '%F0%9F%98%80']),
    ...all('malformed', ['', 'a'.repeat(21), 'x'.repeat(3000)]),
  ],
};

const search: Parameter = {
  name: 'q',
  isRequired: true,
  values: [
    ...all('valid', [
      '1',
      'e',
      'E',
      'genesis',
      '%25',
      '_',
      '%5C',
      '%27',
      '%27--',
      '__proto__',
      '%F0%9F%98%80',
      '%20',
    ]),
    ...all('valid', [
      'a'.repeat(20),
      '%F0%9F%98%80'.repeat(20),
      '%C3%9C',
      '%C3%BC',
      '+',
      '%2B',
      '%25%25',
      '-1',
      '1e3',
    ]),
    ...all('valid', [
      '%E2%80%AE',
      '%0A',
      '%7F',
      '%01',
      '%EF%BF%BD',
      '{}',
      '[]',
      ';',
      "'%20OR%20''='",
      'null',
      '*',
    ]),
    ...all('malformed', ['', 'a'.repeat(21), '%F0%9F%98%80'.repeat(21), 'x'.repeat(4000)]),
  ],
};

const account = (name: string): Parameter => ({
  name,
  isRequired: false,
  values: [
    ...all('valid', [chain.address(0), chain.publicKey(1), chain.publicKey(4).toUpperCase(), 'A'.repeat(34)]),
    ...all('malformed', [
      '',
      'nobody',
      'A'.repeat(37),
      'A'.repeat(24),
      `${chain.address(0)}%20`,
      '__proto__',
    ]),
    ...all('malformed', [
      `04${'0'.repeat(64)}`,
      '%27%20OR%201=1--',
      '%F0%9F%98%80'.repeat(30),
      'x'.repeat(3000),
    ]),
  ],
});

/** Numbers that may be larger than any column. */
const number = (name: string): Parameter => ({
  name,
  isRequired: false,
  values: [
    ...all('valid', [0, 1, 2, 130, '007', 2 ** 31 - 1, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...NO_WHOLE_NUMBERS,
  ],
});

const amount = (name: string): Parameter => ({
  name,
  isRequired: false,
  values: [
    ...all('valid', [0, 1, '0009', 2 ** 31, 2 ** 32, '9007199254740993', '9223372036854775807']),
    ...all('malformed', [
      '',
      '-1',
      '1.5',
      '1e3',
      'abc',
      '9223372036854775808',
      '1'.repeat(20),
      '9'.repeat(400),
    ]),
    ...all('malformed', ['+1', '1%20', '%EF%BC%91', '__proto__', '1n']),
  ],
});

const block: Parameter = {
  name: 'block',
  isRequired: false,
  values: [
    ...all('valid', [1, 130, 0, 131, 2 ** 31 - 1, 2 ** 31, chain.blockId(130), '18446744073709551615']),
    ...all('valid', ['ab'.repeat(32), 'AB'.repeat(32), '0'.repeat(20), '00000000000000000001']),
    ...all('malformed', ['', '-1', '1.0', 'abc', '18446744073709551616', '1'.repeat(21), 'x'.repeat(3000)]),
  ],
};

const cursor = (valid: readonly string[], foreign: string): Parameter => ({
  name: 'cursor',
  isRequired: false,
  values: [
    ...all('valid', valid),
    ...all('malformed', [foreign, '', 'x', '%20', 'AAAA', 'A'.repeat(301), 'x'.repeat(3000), '__proto__']),
    ...all('malformed', ['%F0%9F%98%80', `${valid[0]}A`, `${valid[0]}=`, valid[0]!.slice(1), '0', '-1']),
  ],
});

const TRANSACTION_CURSOR = writeTransactionCursor({ height: 130, sequence: 5, blockId: chain.blockId(130) });
const ACCOUNT_CURSOR = writeAccountCursor({ balance: '7', address: chain.address(0) });

const FILTERS: readonly Parameter[] = [
  ...[account('sender'), account('recipient'), number('type'), number('typeGroup'), number('minHeight')],
  ...[number('maxHeight'), amount('minAmount'), amount('maxAmount'), limit(100)],
  cursor([TRANSACTION_CURSOR], ACCOUNT_CURSOR),
];

const text: Parameter = {
  ...search,
  values: [
    ...search.values.filter(([, verdict]) => verdict === 'valid'),
    ...all('valid', [chain.address(1), chain.publicKey(1), chain.blockId(7), '130', 'ab'.repeat(32)]),
    ...all('valid', ['D000', 'x'.repeat(66), '%F0%9F%98%80'.repeat(66), '99999999999999999999']),
    ...all('malformed', ['', 'a'.repeat(67), 'x'.repeat(4000)]),
  ],
};

const height = (name: string): Parameter => ({
  name,
  isRequired: true,
  values: [
    ...all('valid', [9, 10, 129, 130, '0130', '%31%30']),
    ...all('unmatched', [131, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...all('malformed', [0, '00']),
    ...NO_WHOLE_NUMBERS,
  ],
});

const from: Parameter = {
  name: 'from',
  isRequired: true,
  values: [...all('valid', [1, 2, '009']), ...all('malformed', [0, 2 ** 31, '000']), ...NO_WHOLE_NUMBERS],
};

const share: Parameter = {
  name: 'share',
  isRequired: false,
  values: [
    ...all('valid', [0, 100, '92.5', '000', '0.000001', '100.000000']),
    ...all('malformed', ['', '-1', '101', '100.000001', '1.0000001', '.5', '5.', '1e1', '50%25', 'x', '0x1']),
    ...all('malformed', ['+1', '1%20', '%EF%BC%91', '__proto__', '9'.repeat(400)]),
  ],
};

const exclude: Parameter = {
  name: 'exclude',
  isRequired: false,
  values: [
    ...all('valid', [
      chain.address(0),
      [20, 0, 20].map(chain.address).join(),
      'A'.repeat(25),
      'A'.repeat(36),
    ]),
    ...all('malformed', ['', ',', `${chain.address(0)},`, 'me', 'A'.repeat(37), chain.publicKey(1)]),
    ...all('malformed', ['__proto__', Array.from({ length: 101 }, (_, i) => chain.address(i)).join()]),
  ],
};

/** The fuzzer expects JSON. */
const format: Parameter = {
  name: 'format',
  isRequired: false,
  values: [...all('valid', ['json']), ...all('malformed', ['', 'JSON', 'xml', 'json,csv', '__proto__'])],
};

const CHANGE_CURSOR = writeAccountChangeCursor({ height: 130, blockId: chain.blockId(130) });

const missing = (path: string): Endpoint => ({ path, parameters: [], isMissing: true });

const none = (path: string): Endpoint => ({ path, parameters: [] });

/** Every endpoint on the hand-made chain, which has no transactions. */
export const ENDPOINTS: readonly Endpoint[] = [
  none('/api/signatures/fee'),
  none('/api/loader/autoconfigure'),
  none('/api/loader/status'),
  none('/api/loader/status/sync'),
  { path: '/api/blocks', parameters: [limit(100), offset] },
  { path: '/api/blocks/get', parameters: [blockId] },
  none('/api/blocks/getFees'),
  none('/api/blocks/getFee'),
  none('/api/blocks/getEpoch'),
  none('/api/blocks/getHeight'),
  none('/api/blocks/getMilestone'),
  none('/api/blocks/getNethash'),
  none('/api/blocks/getReward'),
  none('/api/blocks/getStatus'),
  none('/api/blocks/getSupply'),
  { path: '/api/delegates', parameters: [limit(100), offset, orderBy] },
  { path: '/api/delegates/voters', parameters: [publicKey('publicKey', true), voterLimit, offset] },
  {
    path: '/api/delegates/get',
    parameters: [publicKey('publicKey', false), username],
    areAlternatives: true,
  },
  none('/api/delegates/fee'),
  none('/api/delegates/count'),
  { path: '/api/delegates/forging/getForgedByAccount', parameters: [publicKey('generatorPublicKey', true)] },
  { path: '/api/delegates/search', parameters: [search, limit(100), offset] },
  { path: '/api/delegates/getNextForgers', parameters: [limit(chain.ACTIVE_DELEGATES)] },
  { path: '/api/transactions', parameters: [...FILTERS, account('address'), block] },
  missing(`/api/transactions/${'ab'.repeat(32)}`),
  missing('/api/transactions/unknown'),
  none('/api/blocks/130'),
  none(`/api/blocks/${chain.blockId(7)}`),
  { path: '/api/blocks/130/transactions', parameters: FILTERS },
  missing('/api/blocks/131'),
  missing('/api/blocks/getnothing/transactions'),
  { path: '/api/accounts', parameters: [limit(100), cursor([ACCOUNT_CURSOR], TRANSACTION_CURSOR)] },
  // The username of a delegate; the chain's addresses do not follow from its keys.
  none('/api/accounts/1'),
  { path: '/api/accounts/1/transactions', parameters: FILTERS },
  missing(`/api/accounts/${chain.publicKey(1)}`),
  missing('/api/accounts/nobody'),
  missing('/api/accounts/%F0%9F%98%80'),
  missing(`/api/accounts/${'x'.repeat(3000)}/transactions`),
  { path: '/api/history/supply', parameters: [height('height')] },
  { path: `/api/history/accounts/${chain.address(20)}`, parameters: [height('height')] },
  {
    path: `/api/history/accounts/${chain.address(0)}/changes`,
    parameters: [limit(100), cursor([CHANGE_CURSOR], TRANSACTION_CURSOR)],
  },
  { path: '/api/history/delegates', parameters: [height('height')] },
  { path: `/api/history/delegates/${chain.publicKey(1)}/voters`, parameters: [height('height')] },
  { path: '/api/history/delegates/1/rounds', parameters: [limit(1000)] },
  {
    path: `/api/history/delegates/${chain.publicKey(1)}/payouts`,
    parameters: [from, height('to'), share, amount('minimum'), amount('cap'), exclude, format],
  },
  missing('/api/history'),
  missing('/api/history/accounts/nobody/changes'),
  missing(`/api/history/delegates/${'x'.repeat(3000)}/rounds`),
  { path: '/api/search', parameters: [text] },
  { path: '/delegates.json', parameters: [{ ...search, isRequired: false }, limit(100), offset, orderBy] },
];
