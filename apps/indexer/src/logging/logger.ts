/** The logger as a provider. */
export const LOGGER = Symbol('logger');
