import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generators/generated-files.js';
import { schemaFile } from './generators/schema.js';

// `npm run generate`: writes every file that is generated from the sources.
for (const { path, text } of [...(await generatedFiles()), await schemaFile()]) await writeFile(path, text);
