import { project } from '../../jest.preset.js';

export default project('logging', import.meta.url);
