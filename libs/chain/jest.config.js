import { project } from '../../jest.preset.js';

export default project('chain', import.meta.url);
