import { project } from '../../jest.preset.js';

export default project('jobs', import.meta.url);
