import { all, type Parameter } from './parameter.js';

const NO_WHOLE_NUMBERS = all('malformed', [
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
  '+1',
  '%2B1',
  '1%20',
  '%201',
  '1%0A',
  '1%0D%0A',
  '%EF%BC%91',
  '%D9%A3',
  '%E2%82%81',
  '1n',
  "1'",
  '1;2',
  '9'.repeat(16),
  '9'.repeat(400),
  `0${'0'.repeat(15)}`,
  '__proto__',
  'constructor',
  '1%3Bdrop',
  '--1',
]);

export const limit = (most: number): Parameter => ({
  name: 'limit',
  isRequired: false,
  values: [
    ...all('valid', [1, 2, most, '01', '000000000000001', '%31', '2']),
    ...all('malformed', [0, '00', most + 1, 999_999_999_999_999, 2 ** 31, 2 ** 32, 2 ** 53 - 1]),
    ...NO_WHOLE_NUMBERS,
  ],
});

export const voterLimit: Parameter = {
  name: 'limit',
  isRequired: false,
  values: [
    ...all('valid', [1, 2, 101, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...all('malformed', [0]),
    ...NO_WHOLE_NUMBERS,
  ],
};

export const offset: Parameter = {
  name: 'offset',
  isRequired: false,
  values: [
    ...all('valid', [0, '000', 1, 5, 129, 130, 131, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...NO_WHOLE_NUMBERS,
  ],
};

/** Numbers that may be larger than any column. */
export const number = (name: string): Parameter => ({
  name,
  isRequired: false,
  values: [
    ...all('valid', [0, 1, 2, 130, '007', 2 ** 31 - 1, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...NO_WHOLE_NUMBERS,
  ],
});

export const amount = (name: string): Parameter => ({
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

export const height = (name: string): Parameter => ({
  name,
  isRequired: true,
  values: [
    ...all('valid', [9, 10, 129, 130, '0130', '%31%30']),
    ...all('unmatched', [131, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 999_999_999_999_999]),
    ...all('malformed', [0, '00']),
    ...NO_WHOLE_NUMBERS,
  ],
});

export const share: Parameter = {
  name: 'share',
  isRequired: false,
  values: [
    ...all('valid', [0, 100, '92.5', '000', '0.000001', '100.000000']),
    ...all('malformed', ['', '-1', '101', '100.000001', '1.0000001', '.5', '5.', '1e1', '50%25', 'x', '0x1']),
    ...all('malformed', ['+1', '1%20', '%EF%BC%91', '__proto__', '9'.repeat(400)]),
  ],
};
