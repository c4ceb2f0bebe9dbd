import { project } from '../../jest.preset.js';

export default project('blocks', import.meta.url);
