/** The open `BlockSource` as a provider. */
export const SOURCE = Symbol('block source');
