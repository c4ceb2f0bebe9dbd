import { project } from '../../jest.preset.js';

export default project('config', import.meta.url);
