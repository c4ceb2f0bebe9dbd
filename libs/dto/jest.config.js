import { project } from '../../jest.preset.js';

export default project('dto', import.meta.url);
