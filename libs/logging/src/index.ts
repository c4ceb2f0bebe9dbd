export { createLogger, droppedLogLines, STDERR } from './create-logger.js';
export { nestLogger } from './nest-logger.js';
