export { createLogger, droppedLogLines, LOGGER, STDERR } from './create-logger.js';
export { nestLogger } from './nest-logger.js';
