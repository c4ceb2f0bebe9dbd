import { project } from '../../jest.preset.js';

/** Not named jest.config.js: these tests start whole processes, so they belong to `npm run test:e2e`. */
export default project('stack-e2e', import.meta.url);
