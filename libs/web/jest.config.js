import { project } from '../../jest.preset.js';

export default project('web', import.meta.url);
