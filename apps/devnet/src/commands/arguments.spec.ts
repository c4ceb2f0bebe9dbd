import { DevnetError } from '../devnet.error.js';
import { readExportArguments, readGenerateArguments } from './arguments.js';

describe('the arguments of generate', () => {
  it('have defaults, except for the archive', () => {
    expect(readGenerateArguments(['--out', 'x.ndjson'])).toMatchObject({
      out: 'x.ndjson',
      blocks: 1000,
      seed: 'roundhouse',
      accounts: 300,
      delegates: 63,
      transactionsPerBlock: 3,
      hasSignatures: true,
      epoch: '2017-03-21T13:00:00.000Z',
    });
  });

  it('are used as given', () => {
    const args =
      '--out x.gz --blocks 9 --seed s --accounts 900 --delegates 99 --transactions-per-block .5 --no-signatures ' +
      '--active-delegates 53 --address-prefix 63 --block-time 8 --block-time-change 200:4 --misplaced 7';
    expect(readGenerateArguments(args.split(' '))).toMatchObject({
      blocks: 9,
      seed: 's',
      accounts: 900,
      delegates: 99,
      transactionsPerBlock: 0.5,
      hasSignatures: false,
      form: { activeDelegates: 53, pubKeyHash: 63 },
      blockTime: 8,
      blockTimeChange: { height: 200, blockTime: 4 },
      misplaced: 7,
    });
  });

  it.each([
    ['', '--out: it must name the archive'],
    ['--out x --blocks ten', '--blocks: it must be a whole number'],
    ['--out x --blocks 0', '--blocks: it must be a whole number of 1 or more'],
    ['--out x --delegates 50', '--delegates: it must be at least the number of active delegates'],
    [
      '--out x --delegates 300',
      '--delegates: it must be at most the active delegates plus half the accounts',
    ],
    ['--out x --address-prefix 256', '--address-prefix: it must be a whole number from 0 to 255'],
    ['--out x --block-time-change 4', '--block-time-change: it must be a height and seconds, such as 200:4'],
    ['--out x --misplaced 0', '--misplaced: it must be a height'],
    ['--out x --miss-rate 1', '--miss-rate: it must be 0.9 or less'],
    ['--out x --epoch yesterday', '--epoch: it must be a moment'],
    ['--out x --bogus', "Unknown option '--bogus'"],
  ])('are rejected in one sentence: %s', (text, message) => {
    const read = (): unknown => readGenerateArguments(text.split(' ').filter(Boolean));
    expect(read).toThrow(DevnetError);
    expect(read).toThrow(message);
  });
});

describe('the arguments of export', () => {
  it('name the archive, and the network file if it is elsewhere', () => {
    expect(readExportArguments(['--to', 'a', '--network', 'b'])).toEqual({ to: 'a', network: 'b' });
    expect(() => readExportArguments([])).toThrow('--to: it must name the archive');
  });
});
