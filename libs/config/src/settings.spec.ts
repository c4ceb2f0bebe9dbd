import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { databaseUrl } from './database-url.js';
import { readSettings, SettingsError, type Settings } from './settings.js';

const settings = {
  PORT: {
    schema: z.coerce.number({ error: 'it must be a number' }).default(4003),
    default: '4003',
    description: 'The port.',
  },
  DATABASE_URL: {
    schema: z.string({ error: 'it must be set' }).min(1, 'it must be set'),
    default: 'none',
    description: 'The database.',
    isSecret: true,
  },
} as const satisfies Settings;

describe('readSettings', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('returns parsed values, and defaults for variables that are not set', () => {
    expect(readSettings(settings, { DATABASE_URL: 'postgres://x' })).toEqual({
      PORT: 4003,
      DATABASE_URL: 'postgres://x',
    });
    expect(readSettings(settings, { DATABASE_URL: 'postgres://x', PORT: '0' }).PORT).toBe(0);
  });

  it('names every variable that is wrong in one message', () => {
    expect(() => readSettings(settings, { PORT: 'abc' })).toThrow(SettingsError);
    expect(() => readSettings(settings, { PORT: 'abc' })).toThrow(
      /PORT: it must be a number; DATABASE_URL: it must be set\. docs\/configuration\.md/,
    );
  });

  it('reads a secret from the file that <NAME>_FILE names, without the trailing newline', () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'postgres://secret\n');
    expect(readSettings(settings, { DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://secret');
  });

  it('treats an empty <NAME>_FILE as not set, and refuses an empty file', () => {
    expect(readSettings(settings, { DATABASE_URL_FILE: '', DATABASE_URL: 'x' }).DATABASE_URL).toBe('x');
    const file = join(folder, 'empty');
    writeFileSync(file, '\n');
    expect(() => readSettings(settings, { DATABASE_URL_FILE: file, DATABASE_URL: 'x' })).toThrow(
      `DATABASE_URL_FILE: ${file} is empty: write the value into it.`,
    );
  });

  it.each<[string, (path: string) => void, string]>([
    ['is missing', () => undefined, 'does not exist: name a file'],
    ['is a folder', (path) => mkdirSync(path), 'is a folder: name a file'],
    ['cannot be read', (path) => symlinkSync(path, path), 'cannot be read (ELOOP): name a file'],
  ])('says in words what to do if a file %s', (_what, make, problem) => {
    const path = join(mkdtempSync(join(folder, 'files-')), 'url');
    make(path);
    expect(() => readSettings(settings, { DATABASE_URL_FILE: path })).toThrow(
      `DATABASE_URL_FILE: ${path} ${problem}`,
    );
  });

  it('names the variable whose file holds a wrong value, and reads files only for secrets', () => {
    const missing = join(folder, 'missing');
    const file = join(folder, 'wrong');
    writeFileSync(file, 'mysql://me:hunter2@here');
    const databases = { DATABASE_URL: { ...settings.DATABASE_URL, schema: databaseUrl } };
    expect(() => readSettings(databases, { DATABASE_URL_FILE: file })).toThrow(
      'The settings cannot be used: DATABASE_URL_FILE: it must be a URL that begins with postgres://. docs/',
    );
    expect(readSettings(settings, { DATABASE_URL: 'x', PORT_FILE: missing }).PORT).toBe(4003);
  });
});
