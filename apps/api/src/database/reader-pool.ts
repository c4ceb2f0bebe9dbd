/** The pool of TypeORM's data source, as a provider: named statements go to it directly. */
export const READER_POOL = Symbol('reader pool');
