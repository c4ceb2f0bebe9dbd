export { createLogger, droppedLogLines, LOGGER, STDERR } from './create-logger.js';
export { nestLogger } from './nest-logger.js';
export { jsonLines, linesOf, print, printError } from './print.js';
