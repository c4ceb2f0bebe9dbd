import { project } from '../../jest.preset.js';

export default project('indexer', import.meta.url);
