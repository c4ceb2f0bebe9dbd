import { project } from '../../jest.preset.js';

/** All but the scenarios, see jest.e2e.config.js. */
export default {
  ...project('indexer', import.meta.url),
  testRegex: '^(?!.*/scenarios/).*[.-]spec\\.ts$',
};
