/** Migrated once a run; nobody connects to it, or it could not be cloned. */
export const TEMPLATE_DATABASE = 'index_template';

/** The same server's address for another of its databases. */
export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
};
