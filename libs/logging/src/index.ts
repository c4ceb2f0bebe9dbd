export { createLogger } from './create-logger.js';
export { nestLogger } from './nest-logger.js';
