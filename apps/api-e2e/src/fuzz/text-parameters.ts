import * as chain from '../support/hand-made-chain.js';
import { all, type Parameter } from './parameter.js';

const COLUMNS = [
  'rank',
  'username',
  'address',
  'publicKey',
  'vote',
  'producedblocks',
  'missedblocks',
  'productivity',
  'forged',
  'rate',
  'votes',
  'approval',
  '1',
  '2',
  '3',
  '4',
];

export const orderBy: Parameter = {
  name: 'orderBy',
  isRequired: false,
  values: [
    ...all('valid', [...COLUMNS, ...COLUMNS.map((name) => `${name}:desc`), 'rank:asc', 'vote%3Adesc']),
    ...all('malformed', ['', ':', ':asc', 'rank:', 'rank:up', 'rank:asc:desc', 'rank desc', '0', '5', '-1']),
    ...all('malformed', ['__proto__', 'constructor', 'toString', 'hasOwnProperty:asc', 'rank:constructor']),
    ...all('malformed', ['rank;drop', 'username,address', '1%27', 'balance', 'rank%20']),
  ],
};

export const blockId: Parameter = {
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

export const publicKey = (name: string, isRequired: boolean): Parameter => ({
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

export const username: Parameter = {
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

export const search: Parameter = {
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

export const account = (name: string): Parameter => ({
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

export const block: Parameter = {
  name: 'block',
  isRequired: false,
  values: [
    ...all('valid', [1, 130, 0, 131, 2 ** 31 - 1, 2 ** 31, chain.blockId(130), '18446744073709551615']),
    ...all('valid', ['ab'.repeat(32), 'AB'.repeat(32), '0'.repeat(20), '00000000000000000001']),
    ...all('malformed', ['', '-1', '1.0', 'abc', '18446744073709551616', '1'.repeat(21), 'x'.repeat(3000)]),
  ],
};

export const cursor = (valid: readonly string[], foreign: string): Parameter => ({
  name: 'cursor',
  isRequired: false,
  values: [
    ...all('valid', valid),
    ...all('malformed', [foreign, '', 'x', '%20', 'AAAA', 'A'.repeat(301), 'x'.repeat(3000), '__proto__']),
    ...all('malformed', ['%F0%9F%98%80', `${valid[0]}A`, `${valid[0]}=`, valid[0]!.slice(1), '0', '-1']),
  ],
});

export const text: Parameter = {
  ...search,
  values: [
    ...search.values.filter(([, verdict]) => verdict === 'valid'),
    ...all('valid', [chain.address(1), chain.publicKey(1), chain.blockId(7), '130', 'ab'.repeat(32)]),
    ...all('valid', ['D000', 'x'.repeat(66), '%F0%9F%98%80'.repeat(66), '99999999999999999999']),
    ...all('malformed', ['', 'a'.repeat(67), 'x'.repeat(4000)]),
  ],
};

export const exclude: Parameter = {
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
export const format: Parameter = {
  name: 'format',
  isRequired: false,
  values: [...all('valid', ['json']), ...all('malformed', ['', 'JSON', 'xml', 'json,csv', '__proto__'])],
};
