/** Migrated once per run. Nothing connects to it: a database with a session cannot be cloned. */
export const TEMPLATE_DATABASE = 'index_template';

/** The same, with the queue tables. */
export const INDEXER_TEMPLATE = 'indexer_template';

/** The address of another database on the same server. */
export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
};
