import { describe, expect, it } from '@jest/globals';
import type { SettingsError } from '@roundhouse/config';
import { misspelt, readSettings } from '@roundhouse/config';
import { listPrograms } from './programs.js';

const WRONG = [
  '',
  'x',
  '-1',
  '\u0000',
  '99999999999',
  'http://',
  'https://[',
  'postgres://',
  'redis:',
  undefined,
];

/** Sentences of ours begin like this; zod has words of its own. */
const OURS = /^[A-Z\d_]+: its? /;

describe('the settings of every program', () => {
  it('are refused in words that say what is expected', async () => {
    const programs = await listPrograms();
    const problems = programs.flatMap(({ settings }) =>
      Object.entries(settings).flatMap(([name, setting]) =>
        WRONG.flatMap((value) => {
          try {
            readSettings({ [name]: setting }, { [name]: value });
            return [];
          } catch (error) {
            return (error as SettingsError).problems;
          }
        }),
      ),
    );
    expect(problems.length).toBeGreaterThan(100);
    expect(problems.filter((problem) => !OURS.test(problem))).toEqual([]);
    expect(problems).toContain(
      'LOG_LEVEL: it must be "fatal", "error", "warn", "info", "debug", "trace" or "silent"',
    );
  });

  it('are not taken for misspelt ones of another program', async () => {
    const programs = await listPrograms();
    const names = programs.flatMap(({ settings }) => Object.keys(settings));
    const environment = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(programs.flatMap(({ settings }) => misspelt(settings, environment))).toEqual([]);
  });
});
