import { project } from '../../jest.preset.js';

export default project('local-postgres', import.meta.url);
