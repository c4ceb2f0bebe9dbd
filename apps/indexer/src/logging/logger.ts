/** The injection token of the logger. */
export const LOGGER = Symbol('logger');
