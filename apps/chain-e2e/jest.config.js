import { project } from '../../jest.preset.js';

export default project('chain-e2e', import.meta.url);
