import { project } from '../../jest.preset.js';

export default project('storage', import.meta.url);
