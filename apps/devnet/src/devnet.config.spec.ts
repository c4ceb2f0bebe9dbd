import { readSettings } from '@roundhouse/config';
import { devnetSettings } from './devnet.config.js';

describe('the settings of the devnet', () => {
  it('have the documented defaults', () => {
    const values: Readonly<Record<string, unknown>> = readSettings(devnetSettings, {});
    for (const [name, { default: text }] of Object.entries(devnetSettings)) {
      if (text.startsWith('absent')) expect([name, values[name]]).toEqual([name, undefined]);
      else expect([name, String(values[name])]).toEqual([name, text]);
    }
  });

  it.each([
    ['DEVNET_PORT', '70000', 'must be a whole number from 1 to 65535'],
    ['DEVNET_PORT', 'http', 'must be a whole number from 1 to 65535'],
    ['DEVNET_HISTORY', '0', 'must be a whole number from 1 to 1000000'],
    ['DEVNET_BLOCK_TIME', '0.5', 'must be a whole number from 1 to 3600'],
    ['DEVNET_MISS_RATE', '1', 'must be a number from 0 to 0.9'],
    ['DEVNET_SEED', '', 'must not be empty'],
    ['DEVNET_CONTROL', 'yes', 'must be "true" or "false"'],
  ])('are rejected by name: %s=%s', (name, value, message) => {
    expect(() => readSettings(devnetSettings, { [name]: value })).toThrow(`${name}: it ${message}`);
  });
});
