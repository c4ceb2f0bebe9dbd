import { project } from '../../jest.preset.js';

export default project('source', import.meta.url);
