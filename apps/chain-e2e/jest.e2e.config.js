import { project } from '../../jest.preset.js';

/** Not named jest.config.js: these tests run whole indexers, so they belong to `npm run test:e2e`. */
export default project('chain-e2e', import.meta.url);
