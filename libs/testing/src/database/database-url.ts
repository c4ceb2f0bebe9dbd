/** Migrated once per run. Nothing connects to it: a database with a session cannot be cloned. */
export const TEMPLATE_DATABASE = 'index_template';

/** The same with the tables of the queues. */
export const INDEXER_TEMPLATE = 'indexer_template';

/** The same server's address for another of its databases. */
export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
};
