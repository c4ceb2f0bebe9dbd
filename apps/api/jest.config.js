import { project } from '../../jest.preset.js';

export default project('api', import.meta.url);
