import { describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from '@roundhouse/config';
import { launcherSettings } from './launcher.config.js';

describe('the settings of npm start', () => {
  it.each([
    ['PORT', 'http', 'PORT: it must be a port number from 1 to 65535'],
    ['PORT', '0', 'PORT: it must be a port number from 1 to 65535'],
    // The indexer's port would be 65536.
    ['OPS_PORT', '65535', 'OPS_PORT: it must be a port number from 1 to 65534'],
    ['HOST', 'fe80::1%eth0', 'HOST: it must be an address or a host name'],
    ['DATABASE_URL', 'postgres://user:12/hunter2@127.0.0.1/index', 'DATABASE_URL: '],
  ])('are refused in one sentence without a password: %s=%s', (variable, value, sentence) => {
    const read = (): unknown => readSettings(launcherSettings, { [variable]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(sentence);
    expect(read).not.toThrow('hunter2');
  });
});
