/** The injection token of the open `BlockSource`. */
export const SOURCE = Symbol('block source');
