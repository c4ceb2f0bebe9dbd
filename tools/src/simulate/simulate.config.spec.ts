import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readOptions } from './simulate.config.js';

describe('the command line of the simulation', () => {
  const printed: unknown[] = [];

  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation((text) => printed.push(text));
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('accepts one seed, a range of seeds, or those of CI', () => {
    expect(readOptions(['--seed', '7'])).toMatchObject({ seeds: [7], blocks: 300 });
    expect(readOptions(['--seeds', '3..5', '--blocks', '2000'])).toMatchObject({
      seeds: [3, 4, 5],
      blocks: 2_000,
    });
    expect(readOptions(['--ci']).seeds).toBeUndefined();
  });

  it.each([
    [[]],
    [['--seed', '1', '--ci']],
    [['--seed', 'x']],
    [['--seeds', '5..3']],
    [['--blocks', '1', '--ci']],
    [['--why']],
  ])('rejects %j and prints the usage', (args) => {
    expect(() => readOptions(args)).toThrow('exit 1');
    expect(printed.join('\n')).toContain('npm run simulate -- --seed 7');
  });
});
