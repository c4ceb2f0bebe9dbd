import { project } from '../../jest.preset.js';

export default project('devnet', import.meta.url);
