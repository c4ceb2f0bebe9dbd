import { project } from '../../jest.preset.js';

/** Scenarios run whole indexers, so they belong to `npm run test:e2e`. */
export default {
  ...project('indexer-scenarios', import.meta.url),
  testRegex: 'scenarios/.*[.-]spec\\.ts$',
};
