import { project } from '../../jest.preset.js';
import { PROCESSES } from './jest.config.js';

export default { ...project('api-e2e-processes', import.meta.url), testRegex: PROCESSES };
