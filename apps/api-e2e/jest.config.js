import { project } from '../../jest.preset.js';

/** The suites that run the api as a process: they belong to `npm run test:e2e`, see jest.e2e.config.js. */
export const PROCESSES =
  '/(blocked-log|client|front|fuzz|graceful-stop|hostile-clients|long-lists|long-lists-memory|page-load|slow-log|traces)\\.int-spec\\.ts$';

export default {
  ...project('api-e2e', import.meta.url),
  testRegex: `^(?!.*${PROCESSES}).*[.-]spec\\.ts$`,
};
