import { project } from '../../jest.preset.js';

export default project('entities', import.meta.url);
