import { mkdir, writeFile } from 'node:fs/promises';
import { inWorkspace } from '../generators/generated-files.js';
import { clientSbom, imageSbom } from './sbom.js';

// `npm run sbom:client`, `npm run sbom:image`: writes dist/<name>.cdx.json.

const writers = { client: clientSbom, image: imageSbom };

const name = process.argv[2] as keyof typeof writers;
const text = await writers[name]();
await mkdir(inWorkspace('dist'), { recursive: true });
await writeFile(inWorkspace(`dist/${name}.cdx.json`), text);
console.log(`dist/${name}.cdx.json`);
