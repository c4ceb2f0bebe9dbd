import { project } from '../../jest.preset.js';

export default project('indexer-e2e', import.meta.url);
