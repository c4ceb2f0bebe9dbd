import { project } from '../../jest.preset.js';

export default project('api-e2e', import.meta.url);
