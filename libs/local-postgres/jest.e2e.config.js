import { project } from '../../jest.preset.js';

/** Not named jest.config.js: these tests start and kill servers, so they belong to `npm run test:e2e`. */
export default project('local-postgres', import.meta.url);
