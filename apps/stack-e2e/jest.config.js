import { project } from '../../jest.preset.js';

export default project('stack-e2e', import.meta.url);
