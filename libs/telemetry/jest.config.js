import { project } from '../../jest.preset.js';

export default project('telemetry', import.meta.url);
