/** Injects the logger. */
export const LOGGER = Symbol('logger');
