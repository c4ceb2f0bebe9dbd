import { project } from '../jest.preset.js';

export default project('tools', import.meta.url);
