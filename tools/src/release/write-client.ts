import { inWorkspace } from '../generators/generated-files.js';
import { packClient } from './pack-client.js';

// `npm run pack:client -- [https address of the repository]`: writes dist/roundhouse-client-<version>.tgz.

console.log(await packClient(inWorkspace('dist'), process.argv[2]));
