import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { generatedFiles } from './generated-files.js';

it('the generated files are up to date: after changing a setting or an alert, run npm run generate', async () => {
  for (const { path, text } of await generatedFiles()) expect(await readFile(path, 'utf8')).toBe(text);
});
